// `SpatialFourBar` of spatial_four_bar.xml, printed by `cargo xtask import`.
taut::mechanism! {
    /// The mechanism of spatial_four_bar.xml.
    pub struct SpatialFourBar in space, arms as points {
        crank: Body { mass: 0.3, centre: [0.04, 0.0, 0.0], moments: [0.0002, 0.0005, 0.0006] } near [0.0, 0.0, 0.0],
        coupler: SkewBody { mass: 0.5, centre: [0.120804554711011, 0.0684040286651337, 0.143969262078591], moments: [0.00457774653426599, 0.00620455110660452, 0.00351770235912948], products: [-0.00140479809796622, -0.00300590462922169, -0.00167417318012075] } near [0.1, 0.0, 0.0],
        rocker: Body { mass: 0.4, centre: [0.0, 0.0, 0.08], moments: [0.0009, 0.001, 0.0003] } near [0.45, 0.05, 0.1],
        drive_base: Fixed { at: [0.0, 0.0, 0.0] },
        drive: Hinge(drive_base, crank) { axis: [0.0, 0.0, 1.0] },
        ball_of_crank: Corner(crank) { at: [0.1, 0.0, 0.0] },
        ball: Pin(ball_of_crank, coupler) { offset: [0.0, 0.0, 0.0] },
        pivot_base: Fixed { at: [0.45, 0.05, 0.1] },
        pivot: Hinge(pivot_base, rocker) { axis: [0.0995037190209989, 0.995037190209989, 0.0] },
        socket_of_coupler: Corner(coupler) { at: [0.241609109422021, 0.136808057330267, 0.287938524157182] },
        socket_of_rocker: Corner(rocker) { at: [-0.108390890577979, 0.0868080573302675, 0.187938524157182] },
        socket: Pin(socket_of_coupler, socket_of_rocker) { offset: [0.0, 0.0, 0.0] },
    }
}

//! Closures, async blocks and nested items.

use crate::assert_body;

#[test]
fn captures_by_reference_and_by_value() {
    let source =
        r#"fn f(a: A, b: B) { let c = |x: u8| a.g(x); let d = move |(y, z)| b.h(y, z); c(1); d((2, 3)); }"#;
    let expected = r#"
        param a_0: A
        param b_1: B
        let c_2
        let d_3
        b0:
          c_2 = closure c0
          d_3 = closure c1
          _4 = call c_2(1)
          _5 = tuple {0: 2, 1: 3}
          _6 = call d_3(_5)
          return ()
        closure c0 Closure [&a_0]
          param x_0: u8
          capture a_1
          b0:
            _2: result = (*a_1).g(x_0)
            return _2
        closure c1 Closure [b_1]
          param _0
          capture b_1
          let y_2
          let z_3
          b0:
            y_2 = _0.0
            z_3 = _0.1
            _4: result = b_1.h(y_2, z_3)
            return _4
    "#;
    assert_body(source, expected);
}

#[test]
fn nested_closures_capture_through() {
    let source = r#"fn f(a: A) { let c = || { let n = 1; move || g(a, n) }; }"#;
    let expected = r#"
        param a_0: A
        let c_1
        b0:
          c_1 = closure c0
          return ()
        closure c0 Closure [&a_0]
          capture a_0
          let n_1
          b0:
            n_1 = 1
            _2: result = closure c0
            return _2
          closure c0 Closure [a_0, n_1]
            capture a_0
            capture n_1
            b0:
              _2: result = g((*a_0), n_1)
              return _2
    "#;
    assert_body(source, expected);
}

#[test]
fn captures_come_after_parameters() {
    let source = r#"fn f(a: A) { let c = |x| { let y = x; a.g(y); }; }"#;
    let expected = r#"
        param a_0: A
        let c_1
        b0:
          c_1 = closure c0
          return ()
        closure c0 Closure [&a_0]
          param x_0
          capture a_1
          let y_2
          b0:
            y_2 = x_0
            _3 = (*a_1).g(y_2)
            return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn async_blocks() {
    let source = r#"async fn f(a: A) { let t = async { a.g().await?; Ok(1) }; t.await; spawn(async move { a.h() }); let k = async |x| x; }"#;
    let expected = r#"
        param a_0: A
        let t_1
        let k_5
        b0:
          t_1 = closure c0
          _2 = await t_1
          _3: argument 0 of spawn = closure c1
          _4 = spawn(_3)
          k_5 = closure c2
          return ()
        closure c0 AsyncBlock [&a_0]
          capture a_0
          b0:
            _1 = (*a_0).g()
            _2 = await _1
            branch b1 b2
          b1:
            _4 = ?!(_2)
            _5: result = Ok(1)
            return _5
          b2:
            _3: result = ?residual!(_2)
            return _3
        closure c1 AsyncBlock [a_0]
          capture a_0
          b0:
            _1: result = a_0.h()
            return _1
        closure c2 AsyncClosure []
          param x_0
          b0:
            return x_0
    "#;
    assert_body(source, expected);
}

#[test]
fn items_see_no_locals() {
    let source = r#"fn f(a: A) { fn g(b: u8) -> u8 { a } const K: u8 = 1; g(K) }"#;
    let expected = r#"
        param a_0: A
        b0:
          _1: result = g(K)
          return _1
        item g
        item K
    "#;
    assert_body(source, expected);
}

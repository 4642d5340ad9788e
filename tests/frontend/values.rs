//! Values: literals, operators, calls, aggregates.

use crate::assert_body;

#[test]
fn literals() {
    let source = r##"fn f() { g(1_000u32, 1.5e3, "a\n", b"xy", 'c', b'a', true, c"z", r#"raw"#, ()); }"##;
    let expected = r#"
        b0:
          _0 = g(1000, 1.5e3, "a\n", b"xy", 'c', 97, true, "z", "raw", ())
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn operators() {
    let source =
        r#"fn f(a: u8, b: u8) { let x = a + b * 2 - !a; let y = -x << 1; let z = a < b; let w = x as u64; }"#;
    let expected = r#"
        param a_0: u8
        param b_1: u8
        let x_2
        let y_6
        let z_8
        let w_9
        b0:
          _3 = b_1 * 2
          _4 = a_0 + _3
          _5 = !a_0
          x_2 = _4 - _5
          _7 = -x_2
          y_6 = _7 << 1
          z_8 = a_0 <=> b_1
          w_9 = x_2 as u64
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn logic() {
    let source = r#"fn f(a: bool, b: B) { let x = a && b.ok() || b.other(); let y = a && b.field; }"#;
    let expected = r#"
        param a_0: bool
        param b_1: B
        let x_2
        let y_5
        b0:
          branch b2 b1
        b1:
          x_2 = a_0 && _4
          goto b4
        b2:
          _3 = b_1.ok()
          branch b3 b1
        b3:
          _4 = b_1.other()
          goto b1
        b4:
          y_5 = a_0 && b_1.field
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn aggregates() {
    let source = r#"fn f(a: A) { let x = S { a, b: g(), ..a.base }; let t = (1, a); let v = [a, h()]; let r = [0; N]; let e = ..; let r = 1..=a; let n = E::V { k: 1 }; }"#;
    let expected = r#"
        param a_0: A
        let x_1
        let t_3
        let v_4
        let r_6
        let e_7
        let r_8
        let n_9
        b0:
          _2: field b of S = g()
          x_1 = S {a: a_0, b: _2, ..a_0.base}
          t_3 = tuple {0: 1, 1: a_0}
          _5 = h()
          v_4 = array {0: a_0, 1: _5}
          r_6 = repeat 0
          e_7 = range()
          r_8 = range(1, a_0)
          n_9 = E::V {k: 1}
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn calls() {
    let source = r#"fn f(c: fn(u8) -> u8, s: S) { a::b::<u8>(1); c(2); (s.f)(3); <T as Tr>::m(4); Self::n(5); g()(6); s.h::<String>(7); }"#;
    let expected = r#"
        param c_0: fn(u8) -> u8
        param s_1: S
        b0:
          _2 = a::b<u8>(1)
          _3 = call c_0(2)
          _4 = call s_1.f(3)
          _5 = <T as Tr>::m(4)
          _6 = Self::n(5)
          _7 = g()
          _8 = call _7(6)
          _9 = s_1.h::<String>(7)
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn chains() {
    let source = r#"async fn f(a: A) -> R { let x = a.b()?.c().await?.d[0].e as u8; x }"#;
    let expected = r#"
        param a_0: A
        let x_1
        b0:
          _2 = a_0.b()
          branch b1 b2
        b1:
          _4 = ?!(_2)
          _5 = _4.c()
          _6 = await _5
          branch b3 b4
        b2:
          _3: result = ?residual!(_2)
          return _3
        b3:
          _8 = ?!(_6)
          x_1 = _8.d[0].e as u8
          return x_1
        b4:
          _7: result = ?residual!(_6)
          return _7
    "#;
    assert_body(source, expected);
}

#[test]
fn items_and_variables() {
    let source = r#"fn f() { let g = 1; g; h; Uuid::new_v4; std::process::exit(g); unreachable_code() }"#;
    let expected = r#"
        let g_0
        b0:
          g_0 = 1
          _1 = std::process::exit(g_0)
          diverge
        b1:
          _2: result = unreachable_code()
          return _2
    "#;
    assert_body(source, expected);
}

#[test]
fn blocks_are_transparent() {
    let source = r#"fn f() -> u8 { let x = { let y = g(); y }; unsafe { h(x) } }"#;
    let expected = r#"
        let x_0
        let y_1
        b0:
          y_1 = g()
          x_0 = y_1
          _2: result = h(x_0)
          return _2
    "#;
    assert_body(source, expected);
}

#[test]
fn shadowing() {
    let source = r#"fn f() { let x = 1; let x = g(x); { let x = h(x); k(x); } k(x); }"#;
    let expected = r#"
        let x_0
        let x_1
        let x_2
        b0:
          x_0 = 1
          x_1 = g(x_0)
          x_2 = h(x_1)
          _3 = k(x_2)
          _4 = k(x_1)
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn hints() {
    let source = r#"fn f(id: &str) -> Uuid { let a: Key = id.into(); g(id.parse().unwrap(), b()); S { k: id.into() }; Ok(id.into()) }"#;
    let expected = r#"
        param id_0: &str
        let a_1: Key
        b0:
          a_1 = id_0.into()
          _2: wrapped argument 0 of g = id_0.parse()
          _3: argument 0 of g = _2.unwrap()
          _4: argument 1 of g = b()
          _5 = g(_3, _4)
          _6: field k of S = id_0.into()
          _7 = S {k: _6}
          _8: argument 0 of Ok = id_0.into()
          _9: result = Ok(_8)
          return _9
    "#;
    assert_body(source, expected);
}

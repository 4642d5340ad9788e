//! Branches, loops and early exits.

use crate::assert_body;

#[test]
fn if_and_else_if() {
    let source = r#"fn f(a: A) -> u8 { if a.x() { 1 } else if a.y() { 2 } else { 3 } }"#;
    let expected = r#"
        param a_0: A
        b0:
          _2 = a_0.x()
          branch b3 b2
        b1:
          return _1
        b2:
          _3 = a_0.y()
          branch b5 b4
        b3:
          _1: result = 1
          goto b1
        b4:
          _1: result = 3
          goto b1
        b5:
          _1: result = 2
          goto b1
    "#;
    assert_body(source, expected);
}

#[test]
fn if_without_else() {
    let source = r#"fn f(a: A) { let x = if a.x() { g(); }; }"#;
    let expected = r#"
        param a_0: A
        let x_1
        b0:
          _2 = a_0.x()
          branch b3 b2
        b1:
          return ()
        b2:
          x_1 = ()
          goto b1
        b3:
          _3 = g()
          x_1 = ()
          goto b1
    "#;
    assert_body(source, expected);
}

#[test]
fn let_chains() {
    let source = r#"fn f(a: A) { if let Some(x) = a.x && x.ok() && let Some(y) = x.y { g(y); } }"#;
    let expected = r#"
        param a_0: A
        let x_2
        let y_4
        b0:
          branch b3 b2
        b1:
          return _1
        b2:
          _1: result = ()
          goto b1
        b3:
          x_2 = a_0.x.<Some>0
          _3 = x_2.ok()
          branch b4 b2
        b4:
          branch b5 b2
        b5:
          y_4 = x_2.y.<Some>0
          _5 = g(y_4)
          _1: result = ()
          goto b1
    "#;
    assert_body(source, expected);
}

#[test]
fn match_guards() {
    let source = r#"fn f(a: A) -> u8 { match a { A::B(x) if x.ok() => x, A::C(y) => y, A::D(z) if let Some(w) = z => w, _ => 0 } }"#;
    let expected = r#"
        param a_0: A
        let x_2
        let y_4
        let z_5
        let w_6
        b0:
          branch b2 b3
        b1:
          return _1
        b2:
          x_2 = a_0.<A::B>0
          _3 = x_2.ok()
          branch b4 b3
        b3:
          branch b5 b6 b7
        b4:
          _1: result = x_2
          goto b1
        b5:
          y_4 = a_0.<A::C>0
          _1: result = y_4
          goto b1
        b6:
          z_5 = a_0.<A::D>0
          branch b8 b7
        b7:
          branch b9
        b8:
          w_6 = z_5.<Some>0
          _1: result = w_6
          goto b1
        b9:
          _1: result = 0
          goto b1
    "#;
    assert_body(source, expected);
}

#[test]
fn let_else() {
    let source = r#"fn f(a: A) -> u8 { let Some(x) = a.get() else { return 1; }; x }"#;
    let expected = r#"
        param a_0: A
        let x_2
        b0:
          _1 = a_0.get()
          branch b1 b2
        b1:
          x_2 = _1.<Some>0
          return x_2
        b2:
          return 1
        b3:
          diverge
    "#;
    assert_body(source, expected);
}

#[test]
fn loops() {
    let source = r#"fn f(v: V) { for (i, x) in v.iter().enumerate() { if x.skip() { continue; } g(i, x); } while let Some(y) = v.pop() { h(y); } for k in (0..3).rev() { l(k); } }"#;
    let expected = r#"
        param v_0: V
        let i_4
        let x_5
        let y_9
        let k_14
        l0: For at b2
        l1: While at b9
        l2: ForRange at b12
        b0:
          _2 = v_0.iter()
          _1 = _2.enumerate()
          goto b2
        b1:
          goto b9
        b2 (l0):
          branch b3 b1
        b3 (l0):
          _3 = next l0 _1
          i_4 = _3.0
          x_5 = _3.1
          _6 = x_5.skip()
          branch b6 b5
        b4 (l0):
          _7 = g(i_4, x_5)
          goto b2
        b5 (l0):
          goto b4
        b6 (l0):
          goto b2
        b7 (l0):
          goto b4
        b8:
          _13 = range(0, 3)
          _12 = _13.rev()
          goto b12
        b9 (l1):
          _8 = v_0.pop()
          branch b10 b8
        b10 (l1):
          y_9 = _8.<Some>0
          _10 = h(y_9)
          goto b9
        b11:
          _11: result = ()
          return _11
        b12 (l2):
          branch b13 b11
        b13 (l2):
          k_14 = next l2 _12
          _15 = l(k_14)
          goto b12
    "#;
    assert_body(source, expected);
}

#[test]
fn break_values_and_labels() {
    let source = r#"fn f() -> u8 { let x = 'a: loop { loop { break 'a g(); } }; let y = 'b: { if x.y() { break 'b 1; } 2 }; y }"#;
    let expected = r#"
        let x_0
        let y_1
        l0: Loop at b2 exits early
        l1: Loop at b4 in l0 exits early
        b0:
          goto b2
        b1:
          _2 = x_0.y()
          branch b9 b8
        b2 (l0):
          goto b4
        b3 (l0):
          goto b2
        b4 (l1):
          x_0 = g()
          goto b1
        b5 (l1):
          goto b4
        b6:
          return y_1
        b7:
          y_1 = 2
          goto b6
        b8:
          goto b7
        b9:
          y_1 = 1
          goto b6
        b10:
          goto b7
    "#;
    assert_body(source, expected);
}

#[test]
fn continue_to_an_outer_loop() {
    let source = r#"fn f() { 'o: for a in b() { for c in d() { continue 'o; } } }"#;
    let expected = r#"
        let a_2
        let c_4
        l0: For at b2
        l1: For at b5 in l0 exits early
        b0:
          _1 = b()
          goto b2
        b1:
          _0: result = ()
          return _0
        b2 (l0):
          branch b3 b1
        b3 (l0):
          a_2 = next l0 _1
          _3 = d()
          goto b5
        b4 (l0):
          goto b2
        b5 (l1):
          branch b6 b4
        b6 (l1):
          c_4 = next l1 _3
          goto b2
        b7 (l1):
          goto b5
    "#;
    assert_body(source, expected);
}

#[test]
fn declared_later() {
    let source =
        r#"fn f(c: C) { let x; if c.y() { x = 1; } else { x = 2; } g(x); loop { let z: u8; z = h(); } }"#;
    let expected = r#"
        param c_0: C
        let x_1
        let z_5: u8
        l0: Loop at b5
        b0:
          declare x_1
          _2 = c_0.y()
          branch b3 b2
        b1:
          _3 = g(x_1)
          goto b5
        b2:
          x_1 = 2
          goto b1
        b3:
          x_1 = 1
          goto b1
        b4:
          return _4
        b5 (l0):
          declare z_5
          z_5 = h()
          goto b5
    "#;
    assert_body(source, expected);
}

#[test]
fn question_in_loops() {
    let source = r#"fn f() -> R { for a in b() { c(a)?; } Ok(()) }"#;
    let expected = r#"
        let a_1
        l0: For at b2 exits early
        b0:
          _0 = b()
          goto b2
        b1:
          _5: result = Ok(())
          return _5
        b2 (l0):
          branch b3 b1
        b3 (l0):
          a_1 = next l0 _0
          _2 = c(a_1)
          branch b4 b5
        b4 (l0):
          _4 = ?!(_2)
          goto b2
        b5 (l0):
          _3: result = ?residual!(_2)
          return _3
    "#;
    assert_body(source, expected);
}

#[test]
fn try_blocks() {
    let source = r#"fn f() { let r: R = try { g()?; h() }; }"#;
    let expected = r#"
        let r_0: R
        b0:
          _1 = g()
          branch b2 b3
        b1:
          return ()
        b2:
          _2 = ?!(_1)
          _3 = h()
          r_0 = Ok(_3)
          goto b1
        b3:
          r_0 = ?residual!(_1)
          goto b1
    "#;
    assert_body(source, expected);
}

#[test]
fn conditional_statements() {
    let source = r#"#[allow(x)] fn f() { #[cfg(feature = "a")] g(); #[cfg(test)] h(); #[cfg(unix)] let x = 1; k(x); }"#;
    let expected = r#"
        let x_1
        b0:
          branch b1 b2
        b1:
          _0 = g()
          goto b2
        b2:
          branch b3 b4
        b3:
          x_1 = 1
          goto b4
        b4:
          _2 = k(x_1)
          return ()
    "#;
    assert_body(source, expected);
}

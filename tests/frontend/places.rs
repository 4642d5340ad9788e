//! Expressions that are places, and assignments to them.

use crate::assert_body;

#[test]
fn fields_and_indices_stay_places() {
    let source = r#"fn f(a: A) { g(a.b[0].c, a.m["k"], a.v[a.i], a.v[1..], (*a.p).q, a.0.1); }"#;
    let expected = r#"
        param a_0: A
        b0:
          _1 = g(a_0.b[0].c, a_0.m["k"], a_0.v[a_0.i], a_0.v[1..], (*a_0.p).q, a_0.0.1)
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn a_receiver_that_is_a_place_stays_one() {
    let source = r#"fn f(v: V) { v.items.push(1); v.get().push(2); "x".len(); }"#;
    let expected = r#"
        param v_0: V
        b0:
          _1 = v_0.items.push(1)
          _2 = v_0.get()
          _3 = _2.push(2)
          _4 = "x".len()
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn references() {
    let source =
        r#"fn f(mut a: A) { let x = &mut a.b; let y = &g(); let z = &"lit"; let w = &raw const a; }"#;
    let expected = r#"
        param a_0: A
        let x_1
        let y_2
        let z_4
        let w_5
        b0:
          x_1 = &mut a_0.b
          _3 = g()
          y_2 = &_3
          z_4 = "lit"
          w_5 = &a_0
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn assignments() {
    let source = r#"fn f(mut a: A, b: B) { a.x = b.y; *b.p = g(); a.v[h()] = 1; b.get().z = 2; a.n += b.m; _ = k(); }"#;
    let expected = r#"
        param a_0: A
        param b_1: B
        b0:
          a_0.x = b_1.y
          (*b_1.p) = g()
          _2 = h()
          a_0.v[_2] = 1
          _3 = b_1.get()
          _3.z = 2
          a_0.n += b_1.m
          _4 = k()
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn destructuring_assignments() {
    let source = r#"fn f() { let (mut a, mut b) = (1, 2); (a, b) = (b, a); [a, .., b] = g(); S { x: a, .. } = h(); Some(b) = k(); (_, a) = l(); }"#;
    let expected = r#"
        let a_1
        let b_2
        b0:
          _0 = tuple {0: 1, 1: 2}
          a_1 = _0.0
          b_2 = _0.1
          _3 = tuple {0: b_2, 1: a_1}
          a_1 = _3.0
          b_2 = _3.1
          _4 = g()
          a_1 = _4[0]
          b_2 = _4[-1]
          _5 = h()
          a_1 = _5.<S>x
          _6 = k()
          b_2 = _6.<Some>0
          _7 = l()
          a_1 = _7.1
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn evaluation_order() {
    let source = r#"fn f(mut a: u8) { let x = a + { a = 2; a }; g(a, { a = 3; a }); }"#;
    let expected = r#"
        param a_0: u8
        let x_1
        b0:
          _2 = a_0
          a_0 = 2
          x_1 = _2 + a_0
          _3 = a_0
          a_0 = 3
          _4 = g(_3, a_0)
          return ()
    "#;
    assert_body(source, expected);
}

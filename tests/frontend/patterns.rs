//! Patterns in every position.

use crate::assert_body;

#[test]
fn tuples_and_structs() {
    let source =
        r#"fn f() { let (a, (b, _)) = g(); let S { x, y: Some(z), .. } = h(); let T(p, .., q) = k(); }"#;
    let expected = r#"
        let a_1
        let b_2
        let x_4
        let z_5
        let p_7
        let q_8
        b0:
          _0 = g()
          a_1 = _0.0
          b_2 = _0.1.0
          _3: S = h()
          x_4 = _3.<S>x
          z_5 = _3.<S>y.<Some>0
          _6: T = k()
          p_7 = _6.<T>0
          q_8 = _6[-1]
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn modes() {
    let source = r#"fn f(mut o: Option<A>) { if let Some(x) = &mut o { x.go(); } if let Some(y) = &o.f { y.go(); } match o { Some(ref mut z) => z.go(), None => {} } if let Some(w) = o.as_mut() { w.go(); } }"#;
    let expected = r#"
        param o_0: Option<A>
        let x_1
        let y_3
        let z_5
        let w_9
        b0:
          branch b3 b2
        b1:
          branch b6 b5
        b2:
          goto b1
        b3:
          x_1 = &mut o_0.<Some>0
          _2 = x_1.go()
          goto b1
        b4:
          branch b8 b9
        b5:
          goto b4
        b6:
          y_3 = &o_0.f.<Some>0
          _4 = y_3.go()
          goto b4
        b7:
          _8 = o_0.as_mut()
          branch b12 b11
        b8:
          z_5 = &mut o_0.<Some>0
          _6 = z_5.go()
          goto b7
        b9:
          goto b7
        b10:
          return _7
        b11:
          _7: result = ()
          goto b10
        b12:
          w_9 = _8.<Some>0
          _10 = w_9.go()
          _7: result = ()
          goto b10
    "#;
    assert_body(source, expected);
}

#[test]
fn alternatives_share_their_names() {
    let source = r#"fn f(e: E) { match e { E::A(x) | E::B { v: x, .. } => g(x), C | E::D => {} } }"#;
    let expected = r#"
        param e_0: E
        let x_2
        b0:
          branch b2 b3
        b1:
          return _1
        b2:
          branch b5 b6
        b3:
          _1: result = ()
          goto b1
        b4:
          _1: result = g(x_2)
          goto b1
        b5:
          x_2 = e_0.<E::A>0
          goto b4
        b6:
          x_2 = e_0.<E::B>v
          goto b4
    "#;
    assert_body(source, expected);
}

#[test]
fn slices() {
    let source = r#"fn f(v: V) { let [a, b @ .., c] = v else { return }; match v { [x, y, ..] => g(x, y), [.., z] => g(z), _ => {} } }"#;
    let expected = r#"
        param v_0: V
        let a_1
        let b_2
        let c_3
        let x_5
        let y_6
        let z_7
        b0:
          branch b1 b2
        b1:
          a_1 = v_0[0]
          b_2 = v_0[..]
          c_3 = v_0[-1]
          branch b5 b6 b7
        b2:
          return ()
        b3:
          diverge
        b4:
          return _4
        b5:
          x_5 = v_0[0]
          y_6 = v_0[1]
          _4: result = g(x_5, y_6)
          goto b4
        b6:
          z_7 = v_0[-1]
          _4: result = g(z_7)
          goto b4
        b7:
          _4: result = ()
          goto b4
    "#;
    assert_body(source, expected);
}

#[test]
fn bindings_with_subpatterns() {
    let source = r#"fn f(v: V) { match v { n @ 1..=5 => g(n), w @ Some(x) => h(w, x), &k => l(k), box b => m(b), -1 | "a" => {}, _ => {} } }"#;
    let expected = r#"
        param v_0: V
        let n_2
        let w_3
        let x_4
        let k_5
        let b_6
        b0:
          branch b2 b3 b4 b5 b6 b7
        b1:
          return _1
        b2:
          n_2 = v_0
          _1: result = g(n_2)
          goto b1
        b3:
          w_3 = v_0
          x_4 = v_0.<Some>0
          _1: result = h(w_3, x_4)
          goto b1
        b4:
          k_5 = (*v_0)
          _1: result = l(k_5)
          goto b1
        b5:
          b_6 = (*v_0)
          _1: result = m(b_6)
          goto b1
        b6:
          _1: result = ()
          goto b1
        b7:
          _1: result = ()
          goto b1
    "#;
    assert_body(source, expected);
}

#[test]
fn constants_bind_nothing() {
    let source =
        r#"fn f(v: V) { match v { LIMIT => a(), None => b(), other => c(other) } let N = 5; g(N); }"#;
    let expected = r#"
        param v_0: V
        let other_3
        let N_5
        b0:
          branch b2 b3 b4
        b1:
          N_5 = 5
          _6 = g(N_5)
          return ()
        b2:
          _1 = a()
          goto b1
        b3:
          _2 = b()
          goto b1
        b4:
          other_3 = v_0
          _4 = c(other_3)
          goto b1
    "#;
    assert_body(source, expected);
}

#[test]
fn parameters() {
    let source = r#"fn f(&self, (a, b): (A, B), S { c, .. }: S, mut d: D, _: E) { g(a, b, c, d); }"#;
    let expected = r#"
        param self_0
        param _1: (A, B)
        param _2: S
        param d_3: D
        param _4: E
        let a_5: A
        let b_6: B
        let c_7
        b0:
          a_5 = _1.0
          b_6 = _1.1
          c_7 = _2.<S>c
          _8 = g(a_5, b_6, c_7, d_3)
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn types_of_tuples() {
    let source = r#"fn f() { let (a, b): (String, u32) = g(); let &c: &u8 = h(); }"#;
    let expected = r#"
        let a_1: String
        let b_2: u32
        let c_4: u8
        b0:
          _0: (String, u32) = g()
          a_1 = _0.0
          b_2 = _0.1
          _3: &u8 = h()
          c_4 = (*_3)
          return ()
    "#;
    assert_body(source, expected);
}

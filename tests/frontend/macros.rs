//! Macros that are modelled, expanded, or read as arguments.

use crate::assert_body;

#[test]
fn format_arguments() {
    let source = r#"fn f(a: A, w: usize) { let s = format!("{a} {} {:?} {0:>w$} {n:#x} {{}} {self.x}", a.b, g(), n = h()); println!("{}", s); }"#;
    let expected = r#"
        param a_0: A
        param w_1: usize
        let s_2
        b0:
          _3 = g()
          _4 = h()
          s_2 = format!({3} {0} {1:?} {0} {2:x} {} {4}; a_0.b, _3, _4, a_0, self.x)
          _5 = println!({0}; s_2)
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn write() {
    let source = r#"fn f(out: &mut S, a: A) -> R { write!(out.buf, "{a}")?; writeln!(out) }"#;
    let expected = r#"
        param out_0: &mut S
        param a_1: A
        b0:
          _2 = write!({0}; a_1)
          _3 = out_0.buf.write_fmt(_2)
          branch b1 b2
        b1:
          _5 = ?!(_3)
          _6 = writeln!(; )
          _7: result = out_0.write_fmt(_6)
          return _7
        b2:
          _4: result = ?residual!(_3)
          return _4
    "#;
    assert_body(source, expected);
}

#[test]
fn json() {
    let source = r#"fn f(a: A) { let j = json!({"id": a.id, "n": {"k": [1, a.v], "z": null}, K: f(a)}); let k = json!([a]); let l = json!(a); }"#;
    let expected = r#"
        param a_0: A
        let j_1
        let k_5
        let l_6
        b0:
          _2 = array {0: 1, 1: a_0.v}
          _3 = object {k: _2, z: ()}
          _4 = f(a_0)
          j_1 = object {id: a_0.id, n: _3, *: _4}
          k_5 = array {0: a_0}
          l_6 = json!(a_0)
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn collections() {
    let source = r#"fn f(a: A) { let v = vec![a, g()]; let r = vec![a; 3]; let m = hashmap! { "k" => a, K => 2 }; let e: V = vec![]; }"#;
    let expected = r#"
        param a_0: A
        let v_1
        let r_3
        let m_4
        let e_5: V
        b0:
          _2 = g()
          v_1 = array {0: a_0, 1: _2}
          r_3 = repeat a_0
          m_4 = object {k: a_0, *: 2}
          e_5 = array {}
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn checks() {
    let source = r#"fn f(a: A) { assert!(a.ok(), "bad {a}"); assert_eq!(a.x, g()); debug_assert!(a.y); let m = matches!(a.z, Some(x) if x.p()); let n = matches!(a, A::B | A::C); }"#;
    let expected = r#"
        param a_0: A
        let m_4
        let x_5
        let n_7
        b0:
          _1 = a_0.ok()
          branch b2 b1
        b1:
          _2 = assert!(bad {0}; a_0)
          diverge
        b2:
          _3 = g()
          branch b4 b3
        b3:
          diverge
        b4:
          branch b6 b5
        b5:
          diverge
        b6:
          branch b8 b7
        b7:
          m_4 = a_0.z <=> true
          n_7 = a_0 <=> true
          return ()
        b8:
          x_5 = a_0.z.<Some>0
          _6 = x_5.p()
          goto b7
    "#;
    assert_body(source, expected);
}

#[test]
fn leaving() {
    let source = r#"fn f(a: A) -> R { if a.x { bail!("no {a}") } ensure!(a.ok(), E::New(a)); if a.y { return Err(anyhow!(a.e)); } todo!() }"#;
    let expected = r#"
        param a_0: A
        b0:
          branch b3 b2
        b1:
          _4 = a_0.ok()
          branch b6 b5
        b2:
          goto b1
        b3:
          _1 = format!(no {0}; a_0)
          _2 = bail!(_1)
          _3: result = Err(_2)
          return _3
        b4:
          goto b1
        b5:
          _5 = E::New(a_0)
          _6 = ensure!(_5)
          _7: result = Err(_6)
          return _7
        b6:
          branch b10 b9
        b7:
          diverge
        b8:
          _10 = todo!(; )
          diverge
        b9:
          goto b8
        b10:
          _8: argument 0 of Err = anyhow!(a_0.e)
          _9: result = Err(_8)
          return _9
        b11:
          goto b8
        b12:
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn logging() {
    let source = r#"fn f(a: A) { info!(id = %a.id, ?a, target.x = g(), "done {} {a}", a.n); log::debug!(target: "t", "x"); tracing::info_span!("s", k = a.k); }"#;
    let expected = r#"
        param a_0: A
        b0:
          _1 = g()
          _2 = format_args!(done {0} {1}; a_0.n, a_0)
          _3 = info!(a_0.id, a_0, _1, _2)
          _4 = format_args!(x; )
          _5 = log::debug!("t", _4)
          _6 = format_args!(s; a_0.k)
          _7 = tracing::info_span!(_6)
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn queries() {
    let source = r#"async fn f(a: A) -> R { sqlx::query!("insert into t values ($1)", a.id).execute(&a.p).await?; query_as!(Row, "select" + " 1", a.k) }"#;
    let expected = r#"
        param a_0: A
        b0:
          _1 = sqlx::query!("insert into t values ($1)", a_0.id)
          _2 = &a_0.p
          _3 = _1.execute(_2)
          _4 = await _3
          branch b1 b2
        b1:
          _6 = ?!(_4)
          _7: result = query_as<Row>!("select 1", a_0.k)
          return _7
        b2:
          _5: result = ?residual!(_4)
          return _5
    "#;
    assert_body(source, expected);
}

#[test]
fn concurrent() {
    let source = r#"async fn f(a: A) { let (x, y) = tokio::join!(a.g(), a.h()); let r = tokio::try_join!(a.k())?; tokio::select! { biased; Some(m) = a.recv() => g(m), _ = a.stop(), if a.on => {} else => h() } }"#;
    let expected = r#"
        param a_0: A
        let x_6
        let y_7
        let r_8
        let m_19
        b0:
          _1 = a_0.g()
          _2 = await _1
          _3 = a_0.h()
          _4 = await _3
          _5 = tuple {0: _2, 1: _4}
          x_6 = _5.0
          y_7 = _5.1
          _9 = a_0.k()
          _10 = await _9
          _11 = ?!(_10)
          _12 = tuple {0: _11}
          _13 = Ok(_12)
          branch b1 b2
        b1:
          r_8 = ?!(_13)
          _15 = a_0.recv()
          _16 = a_0.stop()
          branch b4 b5 b6
        b2:
          _14: result = ?residual!(_13)
          return _14
        b3:
          return _17
        b4:
          _18 = await _15
          m_19 = _18.<Some>0
          _17 = g(m_19)
          goto b3
        b5:
          _20 = await _16
          _17 = ()
          goto b3
        b6:
          _17 = h()
          goto b3
    "#;
    assert_body(source, expected);
}

#[test]
fn texts() {
    let source =
        r#"fn f() { g(concat!("a", 1, "-b"), stringify!(x), env!("HOME"), include_str!("a")); dbg!(h()); }"#;
    let expected = r#"
        b0:
          _0: argument 2 of g = env!("HOME")
          _1: argument 3 of g = include_str!("a")
          _2 = g("a1-b", "x", _0, _1)
          _3 = h()
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn streams() {
    let source = r#"fn f(a: A) -> S { stream! { for x in a { yield x.id; } } }"#;
    let expected = r#"
        param a_0: A
        let x_4
        l0: For at b3
        b0:
          _1 = array {}
          _3 = a_0
          goto b3
        b1:
          return _1
        b2:
          _2 = ()
          goto b1
        b3 (l0):
          branch b4 b2
        b4 (l0):
          x_4 = next l0 _3
          _5 = _1.push(x_4.id)
          goto b3
    "#;
    assert_body(source, expected);
}

#[test]
fn unknown_macros() {
    let source = r#"fn f(a: A) { let x = m!(a.b, k: g(), "s" => a.c, { d = h() }); n! { let y = a; y.z } o![a; 2]; p!(); q!(if a > ); }"#;
    let expected = r#"
        param a_0: A
        let x_1
        let y_3
        b0:
          _2 = g()
          d = h()
          x_1 = m!(a_0.b, _2, a_0.c, ())
          y_3 = a_0
          _4 = n!(y_3.z)
          _5 = o!(a_0, 2)
          _6 = p!()
          _7 = q!()
          return ()
    "#;
    assert_body(source, expected);
}

#[test]
fn macro_rules_expand() {
    let source = r#"macro_rules! key { ($a:expr) => { format!("k:{}", $a) }; ($a:expr, $($b:expr),+ $(,)?) => {{ let x = key!($a); $(g(x, $b);)+ x }}; } fn f(x: X) -> String { key!(x.id, x.a, x.b) }"#;
    let expected = r#"
        param x_0: X
        let x_1
        b0:
          _2 = format!(k:{0}; x_0.id)
          x_1 = _2
          _3 = g(x_1, x_0.a)
          _4 = g(x_1, x_0.b)
          return x_1
    "#;
    assert_body(source, expected);
}

#[test]
fn macro_rules_statements() {
    let source = r#"fn f(a: A) -> R { macro_rules! get { ($n:ident = $e:expr) => { let $n = match $e { Some(v) => v, None => return None }; } } get!(k = a.key()); Some(k) }"#;
    let expected = r#"
        param a_0: A
        let k_1
        let v_3
        b0:
          _2 = a_0.key()
          branch b2 b3
        b1:
          _4: result = Some(k_1)
          return _4
        b2:
          v_3 = _2.<Some>0
          k_1 = v_3
          goto b1
        b3:
          return None
        b4:
          k_1 = ()
          goto b1
        item get
    "#;
    assert_body(source, expected);
}

#[test]
fn macro_munchers() {
    let source = r#"macro_rules! sum { () => { 0 }; ($h:tt $($t:tt)*) => { $h + sum!($($t)*) }; } fn f(a: u8, b: u8) -> u8 { sum!(a b 3) }"#;
    let expected = r#"
        param a_0: u8
        param b_1: u8
        b0:
          _2 = 3 + 0
          _3 = b_1 + _2
          _4 = a_0 + _3
          return _4
    "#;
    assert_body(source, expected);
}

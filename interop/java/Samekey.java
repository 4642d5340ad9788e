import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Idempotency keys of samekey key format 1, byte by byte as docs/key-format.md says.
 *
 * <p>Java 17 or later, no dependency. Copy the file and give it a package.
 *
 * <pre>{@code
 * String key = new Samekey.Intent("billing", "charge.monthly")
 *     .field("customer_id", Samekey.text("cust_123"))
 *     .field("billing_period", Samekey.text("2026-08"))
 *     .key()
 *     .hex32();
 * }</pre>
 */
public final class Samekey {
    /** Largest encoded identity, in bytes. */
    public static final int MAX_ENCODED_BYTES = 1 << 20;

    private static final Pattern NAME = Pattern.compile("[!-~]{1,128}");
    private static final Pattern TEMPLATE_PART =
            Pattern.compile("(\\{\\{)|(}})|\\{([^{}: ]+)}|([^{}]+)|(.)", Pattern.DOTALL);
    private static final String ULID_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final BigInteger SMALLEST = BigInteger.ONE.shiftLeft(127).negate();
    private static final BigInteger LARGEST = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);

    private Samekey() {}

    /** A value that has no key; {@link #code()} names the reason. */
    public static final class RefusedValue extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;
        private final String code;

        RefusedValue(String code, String message) {
            super(message);
            this.code = code;
        }

        /** The reason, the same word in every language. */
        public String code() {
            return code;
        }
    }

    /** One encoded value. */
    public static final class Value {
        private final byte[] encoded;
        /** The text in a template; null where there is not exactly one. */
        private final String text;

        private Value(byte[] encoded, String text) {
            this.encoded = encoded;
            this.text = text;
        }
    }

    /** A precision of a store. */
    public enum Precision {
        SECOND(1_000_000_000),
        MILLISECOND(1_000_000),
        MICROSECOND(1_000),
        NANOSECOND(1);

        private final BigInteger nanos;

        Precision(long nanos) {
            this.nanos = BigInteger.valueOf(nanos);
        }
    }

    /** An HMAC secret and the id under which it is rotated. */
    public static final class Secret {
        private final String id;
        private final byte[] bytes;

        public Secret(String id, byte[] bytes) {
            checkName("the id of a secret", id);
            if (bytes.length < 16) {
                throw new RefusedValue("secret", "a secret has at least 16 bytes");
            }
            this.id = id;
            this.bytes = bytes.clone();
        }

        @Override
        public String toString() {
            return "Secret(<hidden>)";
        }
    }

    /** A truth value. */
    public static Value bool(boolean value) {
        return new Value(tagged(0x01, new byte[] {(byte) (value ? 1 : 0)}), Boolean.toString(value));
    }

    /** An integer of any width. */
    public static Value integer(long value) {
        return integer(BigInteger.valueOf(value));
    }

    /** An integer of at most 128 bits. */
    public static Value integer(BigInteger value) {
        return new Value(tagged(0x02, magnitude(value)), value.toString());
    }

    /** Text, without any normalisation. */
    public static Value text(String value) {
        return new Value(tagged(0x03, sized(utf8(value))), value);
    }

    /** Raw bytes. */
    public static Value bytes(byte[] value) {
        return new Value(tagged(0x04, sized(value)), null);
    }

    /** An absent optional value. */
    public static Value none() {
        return new Value(tagged(0x05), null);
    }

    /** A present optional value. */
    public static Value some(Value value) {
        return new Value(tagged(0x06, value.encoded), null);
    }

    /** Values whose order counts. */
    public static Value list(Collection<Value> values) {
        return new Value(tagged(0x07, all(encodings(values))), null);
    }

    /** Values whose order does not count. */
    public static Value set(Collection<Value> values) {
        List<byte[]> encoded = encodings(values);
        encoded.sort(Arrays::compareUnsigned);
        return new Value(tagged(0x08, all(encoded)), null);
    }

    /** Pairs of a key and a value, whose order does not count. */
    public static Value map(Collection<Map.Entry<Value, Value>> pairs) {
        List<Map.Entry<Value, Value>> sorted = new ArrayList<>(pairs);
        sorted.sort((left, right) -> {
            int keys = Arrays.compareUnsigned(left.getKey().encoded, right.getKey().encoded);
            return keys != 0 ? keys : Arrays.compareUnsigned(left.getValue().encoded, right.getValue().encoded);
        });
        List<byte[]> encoded = new ArrayList<>();
        for (Map.Entry<Value, Value> pair : sorted) {
            encoded.add(join(pair.getKey().encoded, pair.getValue().encoded));
        }
        return new Value(tagged(0x09, all(encoded)), null);
    }

    /** Named values, such as a nested struct. */
    public static Value record(Fields fields) {
        return new Value(tagged(0x0a, fields.encoded()), null);
    }

    /** A variant of an enum with its named values. */
    public static Value variant(String name, Fields fields) {
        checkName("a variant", name);
        return new Value(tagged(0x0b, sized(utf8(name)), fields.encoded()), fields.values.isEmpty() ? name : null);
    }

    /** A decimal number; 1.5 and 1.50 are the same. */
    public static Value decimal(BigDecimal value) {
        BigDecimal shortest = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        if (shortest.scale() < 0) {
            shortest = shortest.setScale(0);
        }
        byte[] scale = ByteBuffer.allocate(4).putInt(shortest.scale()).array();
        return new Value(tagged(0x0c, magnitude(shortest.unscaledValue()), scale), null);
    }

    /** A day. */
    public static Value date(LocalDate value) {
        byte[] body = ByteBuffer.allocate(6)
                .putInt(value.getYear())
                .put((byte) value.getMonthValue())
                .put((byte) value.getDayOfMonth())
                .array();
        boolean hasText = value.getYear() >= 0 && value.getYear() <= 9999;
        return new Value(tagged(0x0d, body), hasText ? value.toString() : null);
    }

    /** A stored point in time, at the precision of its store. */
    public static Value instant(Instant value, Precision precision) {
        BigInteger seconds = BigInteger.valueOf(value.getEpochSecond());
        BigInteger nanos = BigInteger.valueOf(value.getNano());
        return instant(seconds.multiply(Precision.SECOND.nanos).add(nanos), precision);
    }

    /** A stored point in time in nanoseconds since 1970 in UTC. */
    public static Value instant(BigInteger unixNanos, Precision precision) {
        if (unixNanos.mod(precision.nanos).signum() != 0) {
            throw new RefusedValue("finer_than_stored", "finer than a " + precision);
        }
        return new Value(tagged(0x0e, magnitude(unixNanos)), null);
    }

    /** A stored UUID. */
    public static Value uuid(UUID value) {
        byte[] body = ByteBuffer.allocate(16)
                .putLong(value.getMostSignificantBits())
                .putLong(value.getLeastSignificantBits())
                .array();
        return new Value(tagged(0x0f, body), value.toString());
    }

    /** A stored ULID, given as its 26 characters. */
    public static Value ulid(String text) {
        BigInteger value = BigInteger.ZERO;
        for (char digit : text.toUpperCase(java.util.Locale.ROOT).toCharArray()) {
            int index = ULID_DIGITS.indexOf(digit);
            if (index < 0) {
                throw new RefusedValue("ulid", text + " is no ULID");
            }
            value = value.shiftLeft(5).or(BigInteger.valueOf(index));
        }
        if (text.length() != 26 || value.bitLength() > 128) {
            throw new RefusedValue("ulid", text + " is no ULID");
        }
        return new Value(tagged(0x10, fixed(value, 16)), text.toUpperCase(java.util.Locale.ROOT));
    }

    /** Named values; the order of the calls leaves no trace. */
    public static final class Fields {
        // Names are ASCII, so their order as strings is the one of their bytes.
        private final TreeMap<String, Value> values = new TreeMap<>();

        /** Adds one named value. */
        public Fields field(String name, Value value) {
            checkName("a field", name);
            if (values.putIfAbsent(name, value) != null) {
                throw new RefusedValue("duplicate_name", name + " is given twice");
            }
            return this;
        }

        private byte[] encoded() {
            List<byte[]> fields = new ArrayList<>();
            values.forEach((name, value) -> fields.add(join(sized(utf8(name)), value.encoded)));
            return all(fields);
        }
    }

    /** One business operation that must happen once. */
    public static final class Intent {
        private final String namespace;
        private final String operation;
        private final Fields fields = new Fields();
        private int version = 1;
        private Secret secret;

        public Intent(String namespace, String operation) {
            checkName("the namespace", namespace);
            checkName("the operation", operation);
            this.namespace = namespace;
            this.operation = operation;
        }

        /** Adds one field of the identity. */
        public Intent field(String name, Value value) {
            fields.field(name, value);
            return this;
        }

        /** Sets the version, which counts from 1; values above 2^31 are passed as negative. */
        public Intent version(int version) {
            if (version == 0) {
                throw new RefusedValue("version", "the version counts from 1 to 4294967295");
            }
            this.version = version;
            return this;
        }

        /** Sets a secret that keeps others from guessing the identity behind a key. */
        public Intent secret(Secret secret) {
            this.secret = secret;
            return this;
        }

        /** The bytes that are hashed. */
        public byte[] encoded() {
            byte[] mode = secret == null
                    ? new byte[] {0}
                    : join(new byte[] {1}, sized(utf8(secret.id)));
            byte[] message = join(
                    "samekey".getBytes(StandardCharsets.US_ASCII),
                    new byte[] {1},
                    mode,
                    sized(utf8(namespace)),
                    sized(utf8(operation)),
                    ByteBuffer.allocate(4).putInt(version).array(),
                    fields.encoded());
            if (message.length > MAX_ENCODED_BYTES) {
                throw new RefusedValue("too_large", "the identity has " + message.length + " bytes");
            }
            return message;
        }

        /** The key. */
        public Key key() {
            try {
                if (secret == null) {
                    return new Key(MessageDigest.getInstance("SHA-256").digest(encoded()));
                }
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(secret.bytes, "HmacSHA256"));
                return new Key(mac.doFinal(encoded()));
            } catch (GeneralSecurityException error) {
                throw new IllegalStateException(error);
            }
        }
    }

    /** A derived key. Ask for the shape that the provider takes. */
    public static final class Key {
        private final byte[] digest;

        private Key(byte[] digest) {
            this.digest = digest;
        }

        public String hex32() {
            return HexFormat.of().formatHex(digest, 0, 16);
        }

        public String hex64() {
            return HexFormat.of().formatHex(digest);
        }

        public String base64url22() {
            return base64url(Arrays.copyOf(digest, 16));
        }

        public String base64url43() {
            return base64url(digest);
        }

        public String uuidV4() {
            return uuidText(digest, 4);
        }

        public String uuidV5() {
            return uuidText(digest, 5);
        }

        public String uuidV8() {
            return uuidText(digest, 8);
        }

        /** Takes a business instant, never the clock. */
        public String uuidV7(long unixMillis) {
            if (unixMillis < 0 || unixMillis >= 1L << 48) {
                throw new RefusedValue("instant_out_of_range", "outside of 1970 to 10889");
            }
            byte[] millis = ByteBuffer.allocate(8).putLong(unixMillis).array();
            byte[] bytes = Arrays.copyOf(digest, 16);
            System.arraycopy(millis, 2, bytes, 0, 6);
            return uuidText(bytes, 7);
        }
    }

    /**
     * The key of a template such as {@code {customer_id}:{billing_period}:monthly}; the digest is
     * {@code none}, {@code sha256/N} or {@code uuid5(namespace)}.
     */
    public static String liveKey(String template, String digest, Map<String, Value> values) {
        List<String> literals = new ArrayList<>(List.of(""));
        List<String> names = new ArrayList<>();
        parseTemplate(template, literals, names);
        List<String> separators = literals.subList(1, literals.size() - 1);
        List<String> texts = new ArrayList<>();
        for (String name : names) {
            texts.add(templateText(name, values.get(name), separators));
        }
        StringBuilder joined = new StringBuilder(literals.get(0));
        for (int index = 0; index < texts.size(); index++) {
            joined.append(texts.get(index)).append(literals.get(index + 1));
        }
        int start = literals.get(0).length();
        for (int index = 0; index < separators.size(); index++) {
            int cut = joined.indexOf(separators.get(index), start);
            if (cut < 0 || !joined.substring(start, cut).equals(texts.get(index))) {
                throw new RefusedValue("ambiguous", names.get(index) + " could be read in two ways");
            }
            start = cut + separators.get(index).length();
        }
        return digestTemplate(digest, joined.toString());
    }

    private static void parseTemplate(String template, List<String> literals, List<String> names) {
        Matcher part = TEMPLATE_PART.matcher(template);
        while (part.find()) {
            int last = literals.size() - 1;
            if (part.group(1) != null) {
                literals.set(last, literals.get(last) + "{");
            } else if (part.group(2) != null) {
                literals.set(last, literals.get(last) + "}");
            } else if (part.group(3) != null) {
                names.add(part.group(3));
                literals.add("");
            } else if (part.group(4) != null) {
                literals.set(last, literals.get(last) + part.group(4));
            } else {
                throw new RefusedValue("template", "a brace stands alone");
            }
        }
        if (names.isEmpty() || literals.subList(1, literals.size() - 1).contains("")) {
            throw new RefusedValue("template", "nothing separates two values");
        }
    }

    private static String templateText(String name, Value value, List<String> separators) {
        if (value == null || value.text == null) {
            throw new RefusedValue("no_text", name + " has no single text");
        }
        if (value.text.isEmpty()) {
            throw new RefusedValue("empty_value", name + " is empty");
        }
        for (String separator : separators) {
            if (value.text.contains(separator)) {
                throw new RefusedValue("contains_separator", name + " contains a separator");
            }
        }
        return value.text;
    }

    private static String digestTemplate(String digest, String text) {
        if (digest.equals("none")) {
            return text;
        }
        try {
            if (digest.startsWith("sha256/")) {
                byte[] hash = MessageDigest.getInstance("SHA-256").digest(utf8(text));
                return HexFormat.of().formatHex(hash).substring(0, Integer.parseInt(digest.substring(7)));
            }
            if (digest.startsWith("uuid5(") && digest.endsWith(")")) {
                String namespace = digest.substring(6, digest.length() - 1);
                byte[] hash = MessageDigest.getInstance("SHA-1").digest(join(namespaceBytes(namespace), utf8(text)));
                return uuidText(hash, 5);
            }
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
        throw new RefusedValue("digest", "there is no digest " + digest);
    }

    private static byte[] namespaceBytes(String namespace) {
        String named = switch (namespace) {
            case "dns" -> "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
            case "url" -> "6ba7b811-9dad-11d1-80b4-00c04fd430c8";
            case "oid" -> "6ba7b812-9dad-11d1-80b4-00c04fd430c8";
            case "x500" -> "6ba7b814-9dad-11d1-80b4-00c04fd430c8";
            default -> namespace;
        };
        return HexFormat.of().parseHex(named.replace("-", ""));
    }

    private static String uuidText(byte[] bytes, int version) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        long high = buffer.getLong() & ~0xf000L | (long) version << 12;
        long low = buffer.getLong() & 0x3fffffffffffffffL | 0x8000000000000000L;
        return new UUID(high, low).toString();
    }

    private static String base64url(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] magnitude(BigInteger value) {
        if (value.compareTo(SMALLEST) < 0 || value.compareTo(LARGEST) > 0) {
            throw new RefusedValue("too_large", "an integer has at most 128 bits");
        }
        byte[] sign = {(byte) (value.signum() < 0 ? 1 : 0)};
        return join(sign, sized(fixed(value.abs(), (value.abs().bitLength() + 7) / 8)));
    }

    /** Big-endian bytes without the sign byte that BigInteger may add. */
    private static byte[] fixed(BigInteger value, int length) {
        byte[] bytes = value.toByteArray();
        byte[] result = new byte[length];
        int copied = Math.min(bytes.length, length);
        System.arraycopy(bytes, bytes.length - copied, result, length - copied, copied);
        return result;
    }

    private static byte[] utf8(String text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            return Arrays.copyOf(encoded.array(), encoded.limit());
        } catch (CharacterCodingException error) {
            throw new RefusedValue("text", "half of a surrogate pair is no text");
        }
    }

    private static void checkName(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new RefusedValue("name", what + " has 1 to 128 printable ASCII characters");
        }
    }

    private static List<byte[]> encodings(Collection<Value> values) {
        List<byte[]> encoded = new ArrayList<>();
        for (Value value : values) {
            encoded.add(value.encoded);
        }
        return encoded;
    }

    private static byte[] tagged(int tag, byte[]... parts) {
        return join(new byte[] {(byte) tag}, join(parts));
    }

    private static byte[] all(List<byte[]> encoded) {
        return join(length(encoded.size()), join(encoded.toArray(new byte[0][])));
    }

    private static byte[] sized(byte[] bytes) {
        return join(length(bytes.length), bytes);
    }

    private static byte[] length(int length) {
        return ByteBuffer.allocate(8).putLong(length).array();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }
}

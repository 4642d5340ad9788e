import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Reproduces every vector with Samekey.java. */
final class Check {
    private static int compared;
    private static int wrong;

    public static void main(String[] arguments) throws Exception {
        Map<?, ?> vectors = (Map<?, ?>) new Json(Files.readString(Path.of(arguments[0]))).read();
        for (Object vector : list(vectors.get("keys"))) {
            checkKey((Map<?, ?>) vector);
        }
        for (Object vector : list(vectors.get("templates"))) {
            checkTemplate((Map<?, ?>) vector);
        }
        for (Object vector : list(vectors.get("refused_instants"))) {
            checkRefused((Map<?, ?>) vector);
        }
        System.out.println("java: " + compared + " values compared, " + wrong + " differ");
        System.exit(wrong == 0 && compared > 0 ? 0 : 1);
    }

    private static void checkKey(Map<?, ?> vector) {
        Samekey.Intent intent = new Samekey.Intent(string(vector, "namespace"), string(vector, "operation"))
                .version((int) Long.parseLong(vector.get("version").toString()));
        for (Object field : list(vector.get("fields"))) {
            intent.field(list(field).get(0).toString(), value(list(field).get(1)));
        }
        if (vector.get("secret") instanceof Map<?, ?> secret) {
            byte[] bytes = HexFormat.of().parseHex(string(secret, "bytes"));
            intent.secret(new Samekey.Secret(string(secret, "id"), bytes));
        }
        compare(vector, "encoded", HexFormat.of().formatHex(intent.encoded()));
        Samekey.Key key = intent.key();
        compare(vector, "hex32", key.hex32());
        compare(vector, "hex64", key.hex64());
        compare(vector, "base64url22", key.base64url22());
        compare(vector, "base64url43", key.base64url43());
        compare(vector, "uuid_v4", key.uuidV4());
        compare(vector, "uuid_v5", key.uuidV5());
        compare(vector, "uuid_v8", key.uuidV8());
        Map<?, ?> timeOrdered = (Map<?, ?>) vector.get("uuid_v7");
        compare(timeOrdered, "text", key.uuidV7(Long.parseLong(timeOrdered.get("unix_millis").toString())));
    }

    private static void checkTemplate(Map<?, ?> vector) {
        Map<String, Samekey.Value> values = new HashMap<>();
        for (Object field : list(vector.get("values"))) {
            values.put(list(field).get(0).toString(), value(list(field).get(1)));
        }
        String result;
        try {
            result = Samekey.liveKey(string(vector, "template"), string(vector, "digest"), values);
        } catch (Samekey.RefusedValue refused) {
            result = refused.code();
        }
        compare(vector, vector.containsKey("key") ? "key" : "error", result);
    }

    private static void checkRefused(Map<?, ?> vector) {
        String result = "accepted";
        try {
            instant(vector);
        } catch (Samekey.RefusedValue refused) {
            result = refused.code();
        }
        compare(Map.of("error", "finer_than_stored", "name", vector.toString()), "error", result);
    }

    private static Samekey.Value value(Object vector) {
        Map.Entry<?, ?> entry = ((Map<?, ?>) vector).entrySet().iterator().next();
        Object content = entry.getValue();
        return switch (entry.getKey().toString()) {
            case "boolean" -> Samekey.bool((Boolean) content);
            case "integer" -> Samekey.integer(new BigInteger(content.toString()));
            case "text" -> Samekey.text(content.toString());
            case "bytes" -> Samekey.bytes(HexFormat.of().parseHex(content.toString()));
            case "none" -> Samekey.none();
            case "some" -> Samekey.some(value(content));
            case "list" -> Samekey.list(values(content));
            case "set" -> Samekey.set(values(content));
            case "map" -> Samekey.map(pairs(content));
            case "record" -> Samekey.record(fields(content));
            case "variant" -> Samekey.variant(list(content).get(0).toString(), fields(list(content).get(1)));
            case "decimal" -> Samekey.decimal(new BigDecimal(content.toString()));
            case "date" -> Samekey.date(date(list(content)));
            case "instant" -> instant((Map<?, ?>) content);
            case "uuid" -> Samekey.uuid(UUID.fromString(content.toString()));
            case "ulid" -> Samekey.ulid(content.toString());
            default -> throw new IllegalArgumentException(vector.toString());
        };
    }

    private static Samekey.Value instant(Map<?, ?> content) {
        return Samekey.instant(
                new BigInteger(string(content, "unix_nanos")),
                Samekey.Precision.valueOf(string(content, "precision").toUpperCase(Locale.ROOT)));
    }

    private static LocalDate date(List<?> parts) {
        int[] numbers = parts.stream().mapToInt(part -> Integer.parseInt(part.toString())).toArray();
        return LocalDate.of(numbers[0], numbers[1], numbers[2]);
    }

    private static List<Samekey.Value> values(Object content) {
        List<Samekey.Value> values = new ArrayList<>();
        list(content).forEach(item -> values.add(value(item)));
        return values;
    }

    private static List<Map.Entry<Samekey.Value, Samekey.Value>> pairs(Object content) {
        List<Map.Entry<Samekey.Value, Samekey.Value>> pairs = new ArrayList<>();
        for (Object pair : list(content)) {
            pairs.add(new SimpleEntry<>(value(list(pair).get(0)), value(list(pair).get(1))));
        }
        return pairs;
    }

    private static Samekey.Fields fields(Object content) {
        Samekey.Fields fields = new Samekey.Fields();
        for (Object field : list(content)) {
            fields.field(list(field).get(0).toString(), value(list(field).get(1)));
        }
        return fields;
    }

    private static void compare(Map<?, ?> vector, String what, String found) {
        compared++;
        if (!found.equals(vector.get(what))) {
            wrong++;
            System.err.println(vector.get("name") + ": " + what + " is " + found + ", not " + vector.get(what));
        }
    }

    private static List<?> list(Object content) {
        return (List<?>) content;
    }

    private static String string(Map<?, ?> vector, String name) {
        return vector.get(name).toString();
    }

    /** Reads well-formed JSON: numbers stay text. */
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object read() {
            skipSpace();
            char first = text.charAt(at);
            switch (first) {
                case '{':
                    return object();
                case '[':
                    return array();
                case '"':
                    return quoted();
                default:
                    return word();
            }
        }

        private Map<String, Object> object() {
            Map<String, Object> members = new LinkedHashMap<>();
            at++;
            while (!closes('}')) {
                String name = (String) read();
                skipSpace();
                at++;
                members.put(name, read());
            }
            return members;
        }

        private List<Object> array() {
            List<Object> items = new ArrayList<>();
            at++;
            while (!closes(']')) {
                items.add(read());
            }
            return items;
        }

        private boolean closes(char bracket) {
            skipSpace();
            if (text.charAt(at) == ',') {
                at++;
                return false;
            }
            if (text.charAt(at) == bracket) {
                at++;
                return true;
            }
            return false;
        }

        private String quoted() {
            StringBuilder result = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                result.append(text.charAt(at) == '\\' ? escaped() : text.charAt(at));
            }
            at++;
            return result.toString();
        }

        private char escaped() {
            at++;
            char kind = text.charAt(at);
            switch (kind) {
                case 'n':
                    return '\n';
                case 't':
                    return '\t';
                case 'r':
                    return '\r';
                case 'b':
                    return '\b';
                case 'f':
                    return '\f';
                case 'u':
                    at += 4;
                    return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
                default:
                    return kind;
            }
        }

        private Object word() {
            int start = at;
            while ("+-.0123456789Eaeflnrstu".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            String word = text.substring(start, at);
            return word.equals("true") || word.equals("false") ? (Object) Boolean.valueOf(word) : word;
        }

        private void skipSpace() {
            while (Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }
    }
}

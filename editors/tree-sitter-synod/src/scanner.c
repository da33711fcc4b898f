// Tokens that depend on what follows them: words that mean something in their places only, the `when` of a guard and
// the `when` that begins a clause, values on the line of their key. Each case looks as far ahead as the norm does
// (`grammar/synod.pest`, and for the beginnings of clauses `src/syntax/clauses.rs`). The scanner keeps no state.

#include "tree_sitter/parser.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// In the order of `externals` in grammar.js.
enum Token {
  INT,
  SAME_LINE,
  LINE_PROCESS,
  OWN_LAYER,
  WHEN_GUARD,
  WHEN_CLAUSE,
  COUNT,
  SUM,
  LEAST,
  GREATEST,
  ARRIVED,
  EACH,
  STABLE,
  LEADS,
  SETTLES,
  BOUND,
  EXACTLY,
  ORDER,
  PERSISTENT,
  STAMPS,
  VIEW,
  SET_TIMER,
  CANCEL,
  SET_OF,
  LIST_OF,
  QUEUE_OF,
  MAP_OF,
  CALLS,
  RETURNS,
  UPCALLS,
  LEADS_TO,
  HAPPENED,
  OUTCOME,
  CHANNEL,
  OPTION,
  AGAIN,
  ERROR_SENTINEL,
};

// Words that cannot be names: the rule `reserved` of the norm, which `tests/suite/editors.rs` compares.
static const char *const RESERVED[] = {
    "after", "algorithm", "always", "and", "any", "assumes", "await", "become", "before", "bits", "choose", "client",
    "const", "defer", "div", "do", "else", "enum", "eventually", "false", "fi", "finally", "for",
    "forall", "from", "function", "halt", "if", "iff", "ignore", "implies", "in", "initial", "inter", "invariant",
    "listen", "message", "messages", "mod", "none", "not", "od", "on", "operation", "or", "otherwise", "output",
    "param", "pause", "problem", "procedure", "receive", "record", "remove", "role", "round", "rounds",
    "scenario", "send", "skip", "some", "state", "then", "time", "to", "transmit", "true", "uses", "var", "when",
    "with",
};

// No word that is compared is longer.
#define MAX_WORD 16

// How far ahead the `->` of a `when` is looked for, as in `clauses.rs`.
#define MAX_GUARD_TOKENS 64

static inline bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == 0xA0; }

static inline bool is_space(int32_t c) { return is_blank(c) || c == '\r' || c == '\n' || c == 0xFEFF; }

static inline bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static inline bool is_start(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static inline bool is_inside(int32_t c) { return is_start(c) || is_digit(c); }

static bool is_reserved(const char *word) {
  for (size_t i = 0; i < sizeof(RESERVED) / sizeof(RESERVED[0]); i++) {
    if (strcmp(RESERVED[i], word) == 0) return true;
  }
  return false;
}

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

// Reads a word; one that is too long is cut, and is then like no other.
static void read_word(TSLexer *lexer, char word[MAX_WORD + 1]) {
  unsigned length = 0;
  while (is_inside(lexer->lookahead)) {
    if (length < MAX_WORD) word[length++] = (char)lexer->lookahead;
    advance(lexer);
  }
  word[length] = 0;
}

// Passes white space and comments; says whether a line has ended. A `/` that begins no comment is passed, too: where
// this is asked, none could follow.
static bool pass_space(TSLexer *lexer) {
  bool line_ended = false;
  for (;;) {
    if (is_space(lexer->lookahead)) {
      line_ended |= lexer->lookahead == '\n';
      advance(lexer);
    } else if (lexer->lookahead == '/') {
      advance(lexer);
      if (lexer->lookahead != '/') return line_ended;
      while (lexer->lookahead != '\n' && !lexer->eof(lexer)) advance(lexer);
    } else {
      return line_ended;
    }
  }
}

// Whether this word comes next.
static bool word_follows(TSLexer *lexer, const char *expected) {
  pass_space(lexer);
  char word[MAX_WORD + 1];
  read_word(lexer, word);
  return strcmp(word, expected) == 0;
}

static bool arrow_follows(TSLexer *lexer) {
  if (lexer->lookahead == 0x2192) return true;
  if (lexer->lookahead != '-') return false;
  advance(lexer);
  return lexer->lookahead == '>';
}

// A word, then `:` or `for`: `bound cost: …` begins a property, `bound := 3` does not.
static bool property_follows(TSLexer *lexer) {
  pass_space(lexer);
  if (!is_start(lexer->lookahead)) return false;
  char word[MAX_WORD + 1];
  read_word(lexer, word);
  pass_space(lexer);
  if (lexer->lookahead == ':') {
    advance(lexer);
    return lexer->lookahead != '=';
  }
  read_word(lexer, word);
  return strcmp(word, "for") == 0;
}

// `binder_follows` of the norm.
static bool binder_follows(TSLexer *lexer) {
  if (!is_blank(lexer->lookahead)) return false;
  while (is_blank(lexer->lookahead)) advance(lexer);
  if (lexer->lookahead == '(') return true;
  if (!is_start(lexer->lookahead)) return false;
  char word[MAX_WORD + 1];
  read_word(lexer, word);
  return !is_reserved(word);
}

// `each p in S`
static bool each_of_follows(TSLexer *lexer) {
  pass_space(lexer);
  if (!is_start(lexer->lookahead)) return false;
  char word[MAX_WORD + 1];
  read_word(lexer, word);
  pass_space(lexer);
  if (lexer->lookahead == 0x2208) return true;
  read_word(lexer, word);
  return strcmp(word, "in") == 0;
}

static bool begins_clause(const char *word) {
  static const char *const WORDS[] = {
      "algorithm", "problem", "assumes", "uses", "message", "enum", "record", "const", "param", "var", "output",
      "function", "procedure", "operation", "client", "role", "initial", "state", "always", "defer", "ignore",
      "stamps", "view", "invariant", "persistent", "stable", "finally", "eventually", "leads", "settles", "bound", "exactly",
      "order", "scenario", "on", "when", "after",
  };
  for (size_t i = 0; i < sizeof(WORDS) / sizeof(WORDS[0]); i++) {
    if (strcmp(WORDS[i], word) == 0) return true;
  }
  return false;
}

// Behind a `when`: does its arrow come before the next clause?
static bool guard_ends_with_arrow(TSLexer *lexer) {
  for (unsigned tokens = 0; tokens < MAX_GUARD_TOKENS; tokens++) {
    bool first_of_line = pass_space(lexer);
    if (lexer->eof(lexer)) return false;
    if (is_start(lexer->lookahead)) {
      char word[MAX_WORD + 1];
      read_word(lexer, word);
      if (first_of_line && begins_clause(word)) return false;
    } else if (is_digit(lexer->lookahead)) {
      while (is_inside(lexer->lookahead)) advance(lexer);
    } else if (lexer->lookahead == '"') {
      advance(lexer);
      while (lexer->lookahead != '"' && lexer->lookahead != '\n' && !lexer->eof(lexer)) {
        if (lexer->lookahead == '\\') advance(lexer);
        if (!lexer->eof(lexer)) advance(lexer);
      }
      if (lexer->lookahead == '"') advance(lexer);
    } else if (lexer->lookahead == '-') {
      if (arrow_follows(lexer)) return true;
    } else if (lexer->lookahead == 0x2192) {
      return true;
    } else {
      advance(lexer);
    }
  }
  return false;
}

static bool scan_int(TSLexer *lexer) {
  uint64_t value = 0;
  bool fits = true;
  while (is_digit(lexer->lookahead)) {
    uint64_t digit = (uint64_t)(lexer->lookahead - '0');
    if (value > ((uint64_t)INT64_MAX - digit) / 10) fits = false;
    if (fits) value = value * 10 + digit;
    advance(lexer);
  }
  if (!fits || is_start(lexer->lookahead)) return false;
  lexer->mark_end(lexer);
  lexer->result_symbol = INT;
  return true;
}

static bool found(TSLexer *lexer, enum Token token) {
  lexer->result_symbol = token;
  return true;
}

static bool scan_property(TSLexer *lexer, const bool *valid, const char *word) {
  static const struct {
    const char *word;
    enum Token token;
  } KINDS[] = {
      {"stable", STABLE}, {"settles", SETTLES}, {"bound", BOUND}, {"exactly", EXACTLY}, {"order", ORDER},
  };
  for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++) {
    if (strcmp(KINDS[i].word, word) == 0) {
      return valid[KINDS[i].token] && property_follows(lexer) && found(lexer, KINDS[i].token);
    }
  }
  return false;
}

static bool scan_leads(TSLexer *lexer, const bool *valid) {
  if (!valid[LEADS] && !valid[LEADS_TO]) return false;
  pass_space(lexer);
  char next[MAX_WORD + 1];
  read_word(lexer, next);
  if (strcmp(next, "to") == 0) return valid[LEADS_TO] && found(lexer, LEADS_TO);
  if (next[0] == 0 || !valid[LEADS]) return false;
  pass_space(lexer);
  if (lexer->lookahead == ':') {
    advance(lexer);
    return lexer->lookahead != '=' && found(lexer, LEADS);
  }
  read_word(lexer, next);
  return strcmp(next, "for") == 0 && found(lexer, LEADS);
}

// Where both could stand: on a new line, and with an arrow to come, it begins a clause.
static bool scan_when(TSLexer *lexer, const bool *valid, bool first_of_line) {
  if (valid[WHEN_GUARD] && valid[WHEN_CLAUSE]) {
    bool is_clause = first_of_line && guard_ends_with_arrow(lexer);
    return found(lexer, is_clause ? WHEN_CLAUSE : WHEN_GUARD);
  }
  if (valid[WHEN_GUARD]) return found(lexer, WHEN_GUARD);
  return valid[WHEN_CLAUSE] && found(lexer, WHEN_CLAUSE);
}

// `view without a`, `view a, M.b up to shift`: names behind the word, on its line. Elsewhere `view` is a name.
static bool scan_view(TSLexer *lexer, const bool *valid, bool first_of_line) {
  if (!valid[VIEW] || !first_of_line || pass_space(lexer) || !is_start(lexer->lookahead)) return false;
  char next[MAX_WORD + 1];
  read_word(lexer, next);
  if (is_reserved(next)) return false;
  if (strcmp(next, "without") == 0) return found(lexer, VIEW);
  bool line_ended = pass_space(lexer);
  if (!line_ended && lexer->lookahead == '.') {
    advance(lexer);
    read_word(lexer, next);
    line_ended = pass_space(lexer);
  }
  if (line_ended || lexer->lookahead == ',' || lexer->eof(lexer)) return found(lexer, VIEW);
  read_word(lexer, next);
  return strcmp(next, "up") == 0 && found(lexer, VIEW);
}

// The word of a scenario's line: `A: enter`, `A -> B: note`.
static bool process_follows(TSLexer *lexer) {
  pass_space(lexer);
  if (lexer->lookahead == ':') {
    advance(lexer);
    return lexer->lookahead != '=';
  }
  return arrow_follows(lexer);
}

static bool scan_word(TSLexer *lexer, const bool *valid, bool first_of_line) {
  static const struct {
    const char *word;
    enum Token token;
    // The word that has to follow.
    const char *next;
  } WORDS[] = {
      {"persistent", PERSISTENT, "var"},
      {"stamps", STAMPS, "notes"},  {"cancel", CANCEL, "timer"},   {"list", LIST_OF, "of"},
      {"queue", QUEUE_OF, "of"},    {"map", MAP_OF, "of"},         {"calls", CALLS, "of"},
      {"returns", RETURNS, "of"},   {"upcalls", UPCALLS, "of"},    {"happened", HAPPENED, "before"},
  };
  static const struct {
    const char *word;
    enum Token token;
  } BINDERS[] = {
      {"count", COUNT}, {"sum", SUM}, {"least", LEAST}, {"greatest", GREATEST}, {"arrived", ARRIVED},
  };
  char word[MAX_WORD + 1];
  read_word(lexer, word);
  lexer->mark_end(lexer);
  if (strcmp(word, "algorithm") == 0 && lexer->lookahead == '.') {
    return valid[OWN_LAYER] && found(lexer, OWN_LAYER);
  }
  // In recovery everything is said to be valid; there a process is a name like others.
  if (valid[LINE_PROCESS] && !valid[ERROR_SENTINEL] && process_follows(lexer)) return found(lexer, LINE_PROCESS);
  if (strcmp(word, "when") == 0) return scan_when(lexer, valid, first_of_line);
  if (strcmp(word, "leads") == 0) return scan_leads(lexer, valid);
  if (strcmp(word, "view") == 0) return scan_view(lexer, valid, first_of_line);
  if (strcmp(word, "each") == 0) return valid[EACH] && each_of_follows(lexer) && found(lexer, EACH);
  if (strcmp(word, "set") == 0) {
    if (!valid[SET_TIMER] && !valid[SET_OF]) return false;
    pass_space(lexer);
    char next[MAX_WORD + 1];
    read_word(lexer, next);
    if (valid[SET_TIMER] && strcmp(next, "timer") == 0) return found(lexer, SET_TIMER);
    return valid[SET_OF] && strcmp(next, "of") == 0 && found(lexer, SET_OF);
  }
  if (strcmp(word, "outcome") == 0) {
    if (!valid[OUTCOME]) return false;
    bool line_ended = pass_space(lexer);
    char next[MAX_WORD + 1];
    read_word(lexer, next);
    return next[0] != 0 && !is_digit(next[0]) && !(line_ended && begins_clause(next)) && found(lexer, OUTCOME);
  }
  if (strcmp(word, "channel") == 0) {
    if (!valid[CHANNEL]) return false;
    pass_space(lexer);
    return !arrow_follows(lexer) && found(lexer, CHANNEL);
  }
  if (strcmp(word, "option") == 0) {
    if (!valid[OPTION] || !is_blank(lexer->lookahead)) return false;
    while (is_blank(lexer->lookahead)) advance(lexer);
    return is_digit(lexer->lookahead) && found(lexer, OPTION);
  }
  if (strcmp(word, "again") == 0) {
    if (!valid[AGAIN]) return false;
    pass_space(lexer);
    char next[MAX_WORD + 1];
    read_word(lexer, next);
    return strcmp(next, "holds") != 0 && strcmp(next, "violated") != 0 && found(lexer, AGAIN);
  }
  for (size_t i = 0; i < sizeof(BINDERS) / sizeof(BINDERS[0]); i++) {
    if (strcmp(BINDERS[i].word, word) == 0) {
      return valid[BINDERS[i].token] && binder_follows(lexer) && found(lexer, BINDERS[i].token);
    }
  }
  for (size_t i = 0; i < sizeof(WORDS) / sizeof(WORDS[0]); i++) {
    if (strcmp(WORDS[i].word, word) == 0) {
      return valid[WORDS[i].token] && word_follows(lexer, WORDS[i].next) && found(lexer, WORDS[i].token);
    }
  }
  return scan_property(lexer, valid, word);
}

void *tree_sitter_synod_external_scanner_create(void) { return NULL; }

void tree_sitter_synod_external_scanner_destroy(void *payload) { (void)payload; }

unsigned tree_sitter_synod_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}

void tree_sitter_synod_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

bool tree_sitter_synod_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  bool blank = false, first_of_line = false;
  while (is_space(lexer->lookahead)) {
    blank |= is_blank(lexer->lookahead);
    first_of_line |= lexer->lookahead == '\n';
    lexer->advance(lexer, true);
  }
  if (lexer->eof(lexer)) return false;
  if (valid[SAME_LINE] && !valid[ERROR_SENTINEL] && blank && !first_of_line && lexer->lookahead != ',' &&
      lexer->lookahead != '/') {
    lexer->mark_end(lexer);
    return found(lexer, SAME_LINE);
  }
  if (is_digit(lexer->lookahead)) return valid[INT] && scan_int(lexer);
  if (is_start(lexer->lookahead)) return scan_word(lexer, valid, first_of_line);
  return false;
}

# Findings of `synod check --json`, `test --json` and `verify --json`, in the form that a service for continuous integration shows:
#
#   jq -r --arg form github -f findings.jq           lines `::error file=…,line=…::…` (workflow commands of GitHub)
#   jq -s --arg form gitlab -f findings.jq           one Code Quality report (GitLab)
#
#   --arg folder F     the folder in which `synod` ran, relative to the root of the repository
#   --arg program P    for `verify`, whose result names no file: the program

def named($name): $ARGS.named[$name] // "";

# A file, relative to the root of the repository.
def path:
  (named("folder") | ltrimstr("./") | rtrimstr("/")) as $folder
  | ltrimstr("./")
  | if startswith("/") or $folder == "" or $folder == "." then . else "\($folder)/\(.)" end;

def help($hint): if $hint then "\n\($hint)" else "" end;

def diagnostic: {
  severity, title: .code, place,
  message: (.message + help(.hint)
    + ([.related[] | "\n\(.place.file):\(.place.line): \(.label)"] | join("")))
};

# The place of a text such as `v.syn:11:31`. Programs of the library are no files of the repository.
def written_place:
  (. // "" | capture("^(?<file>.*):(?<line>[0-9]+):(?<column>[0-9]+)$"))
  | select(.file | startswith("stdlib/") | not)
  | { file, line: (.line | tonumber), column: (.column | tonumber), end_line: null, end_column: null };

def whole($file): { file: $file, line: null, column: null, end_line: null, end_column: null };

def of_check: .files[].diagnostics[] | diagnostic;

def of_test:
  .files[]
  | (.diagnostics[] | diagnostic),
    (.scenarios[] | .name as $name
      | (.failures[] | { severity: "error", title: "scenario \($name)", place, message }),
        (.notes[] | { severity: "notice", title: "scenario \($name)", place, message }),
        (.place as $place | .snapshot // empty
          | { severity: "error", title: "snapshot of \($name)", place: $place,
              message: (({ new: "the snapshot has not been accepted", different: "the run differs from its snapshot",
                  unreadable: "the snapshot cannot be read" }[.result] // empty)
                + (if .why then ": \(.why)" else "" end) + "\n`synod test review` shows it") })),
    (.unreferenced[] | { severity: "warning", title: "snapshot", place: whole(.file), message: "its scenario does not exist" });

def of_verify:
  named("program") as $program
  | (.counterexamples[]
      | { severity: "error",
          title: "\({ stuck: "deadlock", blocked: "blocked forever", aborted: "run-time error" }[.what] // "\(.shows) is violated") on \(.topology)",
          place: ([.place | written_place][0] // whole($program)),
          message: (.why + (if .place then "\nat \(.place)" else "" end) + "\n\(.events) events, ids \(.ids | map(tostring) | join(","))") }),
    (.disagreements[]
      | { severity: "error", title: "a counterexample could not be replayed", place: whole($program), message: "\(.shows): \(.why)\nThis is a bug in Synod: please report it" }),
    (select(.verdict == "limit") | { severity: "warning", title: "search incomplete", place: whole($program),
        message: "\(.cut // "a limit was reached"); undecided: \([.properties[] | select(.verdict == "pending") | .name] | join(", "))" });

def findings:
  .command as $command
  | (select(.diagnostics == null or .diagnostics == []) | .error // empty | { severity: "error", title: "synod \($command)", place: whole(named("program")), message: (.message + help(.hint)) }),
    (select(.files) | .files[] | .file as $file | .error // empty
      | { severity: "error", title: "synod \($command)", place: whole($file), message: (.message + help(.hint)) }),
    (if .error then .diagnostics[]? | diagnostic
     elif $command == "check" then of_check
     elif $command == "test" then of_test
     elif $command == "verify" then of_verify
     else error("no findings are known for `synod \($command)`")
     end);

def data: gsub("%"; "%25") | gsub("\r"; "%0D") | gsub("\n"; "%0A");
def property: data | gsub(":"; "%3A") | gsub(","; "%2C");

# Columns of GitHub include the end; they are shown only within a line.
def github:
  .place as $place
  | [ (select($place.file != "") | "file=\($place.file | path | property)"),
      (select($place.line) | "line=\($place.line)"),
      (select($place.end_line) | "endLine=\($place.end_line)"),
      (select($place.line and (($place.end_line // $place.line) == $place.line))
        | "col=\($place.column)", (select($place.end_column) | "endColumn=\([$place.end_column - 1, $place.column] | max)")),
      "title=\(.title | property)" ]
  | join(",");

def fingerprint: [.place.file, .place.line, .title, .message] | tojson | @base64;

if named("form") == "gitlab" then
  [ .[] | findings
    | { description: "\(.title): \(.message)", check_name: .title, fingerprint: fingerprint,
        severity: { error: "major", warning: "minor", notice: "info" }[.severity],
        location: { path: (.place.file | path), lines: { begin: (.place.line // 1) } } } ]
  # `check` and `test` report the same errors.
  | unique_by(.fingerprint)
else
  findings | "::\(.severity) \(github)::\(.message | data)"
end

[
  (state) (on_handler) (when_handler) (after_handler) (function) (procedure) (operation) (client) (property) (scenario)
  (problem) (message) (record)
  (choice) (repetition) (iteration)
] @fold
(comment)+ @fold
(doc_comment)+ @fold

// Validation and completion of the editor run in workers: one file each.
const files: Record<string, string> = { json: JSON_WORKER, graphql: GRAPHQL_WORKER };

Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: (_: string, label: string) => new Worker(files[label] ?? EDITOR_WORKER, { name: label }),
  },
});

// Types of the operations in src/codegen.test.ts, from introspection, as strict as the generator can be.
export default {
  schema: '.out/schema.json',
  documents: ['src/codegen.test.ts'],
  generates: {
    'src/gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        strictScalars: true,
        enumsAsTypes: true,
        useTypeImports: true,
        scalars: { Int64: 'number', DateTime: 'string', UUID: 'string', Markup: 'string' },
      },
    },
  },
};

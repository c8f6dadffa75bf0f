import type { Source } from '../../functions/core/records/source.ts'

/** Returns a source of no account that is never looked at by itself. */
export const sourceNamed = (name: string, change: Partial<Source> = {}): Source => ({
  id: name,
  kind: 'oci',
  url: `oci://registry.example.org/team/${name}`,
  ref: '1',
  lookEvery: null,
  actsAs: { accountId: null, username: null, since: 0, stacks: [], blocked: null },
  age: {
    identity: 'AGE-SECRET-KEY-10U7MAELH09KZU63F65P2TYLN7TQM5X6GSDDCQ4YMUGDS3DS6XZMSTYY2PN',
    recipient: 'age1henwn645drkd3fa34t27t2w2x0nsgw3w4h62gmg5x5xflyjpy38s5cncph',
  },
  look: { askedAt: null, nextAt: null, revision: null, failures: 0, problem: null },
  createdAt: 0,
  updatedAt: 0,
  ...change,
})

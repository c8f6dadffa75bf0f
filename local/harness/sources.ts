import type { Source } from '../../functions/core/records/source.ts'

/** Returns a source of no account that is never looked at by itself. */
export const sourceNamed = (name: string, change: Partial<Source> = {}): Source => ({
  id: name,
  kind: 'oci',
  url: `oci://registry.example.org/team/${name}`,
  ref: '1',
  lookEvery: null,
  actsAs: { accountId: null, username: null, since: 0, stacks: [], blocked: null },
  look: { askedAt: null, nextAt: null, revision: null, failures: 0, problem: null },
  createdAt: 0,
  updatedAt: 0,
  ...change,
})

import { type Mutation, one } from './mutation.ts'

const core = 'functions/core/retention'

/** What decides what is removed from the store, and what of the audit rows. */
export const checks: Mutation[] = [
  one(
    'retention: an item that expired a moment ago',
    `${core}/sweep-expired.ts`,
    'const before = clock.now() - expiredFor\n',
    'const before = clock.now()\n',
    [core],
  ),
  one(
    'retention: an item that was given more time',
    'adapters/dynamo/expired-items.ts',
    'isExpired(item, before) && (await table.remove(item, unchanged))',
    'isExpired(item, before) && (await table.remove(item))',
    ['adapters/dynamo/expired-items.test.ts'],
  ),
  one(
    'retention: a clock that jumped',
    `${core}/sweep.ts`,
    'if (!isTrusted(state.clock)) {',
    'if (false) {',
    ['functions/retention'],
  ),
  one(
    'retention: a text that was just stored',
    `${core}/sweep-texts.ts`,
    "now - storedAt >= textGrace ? 'mark' : 'keep'",
    "'mark'",
    ['functions/retention'],
  ),
  one(
    'retention: a text that was just found unused',
    `${core}/sweep-texts.ts`,
    "now - unusedSince >= unusedGrace ? 'remove' : 'keep'",
    "'remove'",
    ['functions/retention'],
  ),
  one(
    'retention: a text that was stored again',
    'adapters/dynamo/text-marks.ts',
    'await table.take(headOf(mark), unchanged(mark))',
    'await table.take(headOf(mark))',
    ['adapters/contract/stores.test.ts'],
    'stored again since',
  ),
  one(
    'retention: a deployment that runs',
    'adapters/dynamo/deployments.ts',
    "{ if: 'attribute_exists(#pk) AND attribute_not_exists(#gsi1pk)' }",
    "{ if: 'attribute_exists(#pk)' }",
    ['adapters/contract/stores.test.ts'],
    'one that ended is removed alone',
  ),
  one(
    'retention: the last deployment of a stack',
    `${core}/sweep-deployments.ts`,
    "if (found?.status === 'running' || stack.last?.deploymentId === id) continue",
    "if (found?.status === 'running') continue",
    ['functions/retention'],
  ),
  one(
    'audit trim: the code of the last row',
    'functions/core/audit/trim.ts',
    'if (!found) throw',
    'if (false) throw',
    ['functions/core/audit'],
  ),
  one(
    'audit trim: rows that were changed',
    'functions/core/audit/trim.ts',
    'if (problems.length > 0) {',
    'if (false) {',
    ['functions/core/audit'],
  ),
  one(
    'audit trim: the signature of the checkpoint',
    'functions/core/audit/checkpoint.ts',
    'return secret && isSame(signature, signatureOf(checkpoint, secret)) ? checkpoint : undefined',
    'return checkpoint',
    ['functions/core/audit'],
  ),
]

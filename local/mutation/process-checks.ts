import { type Mutation, one } from './mutation.ts'

/** Checks that keep the process alive and its data directory and store together. */
export const checks: Mutation[] = [
  one(
    'a promise that is awaited later is not marked',
    'functions/core/stacks/order.ts',
    '  // The host may be out of reach before the files are read.\n  started(loading)\n',
    '',
    ['local/rules.test.ts'],
    'every promise',
  ),
  one(
    'any exception is harmless',
    'functions/core/unhandled.ts',
    'return syscall !== undefined && code !== undefined && connectionCodes.has(code)',
    'return true',
    ['adapters/node/last-resort'],
  ),
  one(
    'a store that lost everything is a first start',
    'adapters/node/data/installation.ts',
    "here.stored ? { refusal: emptied } : 'finish'",
    "'finish'",
    ['adapters/node/data'],
  ),
  one(
    'the same without an id',
    'adapters/node/data/installation.ts',
    'if (hasHistory && !isSetUp) return { refusal: emptied }',
    '',
    ['adapters/node/data'],
  ),
  one(
    'a new data directory joins any store',
    'adapters/node/data/installation.ts',
    "hasKeys ? 'join' : { refusal: keyless }",
    "'join'",
    ['adapters/node/data'],
  ),
  one(
    'another store is taken',
    'adapters/node/data/installation.ts',
    "here.id === stored ? 'same' : { refusal: foreign }",
    "'same'",
    ['adapters/node/data'],
  ),
  one(
    'an empty file of the data directory',
    'adapters/node/data/check.ts',
    "if (found.size === 0 && !mayBeEmpty) return 'it is empty'",
    '',
    ['adapters/node/data'],
  ),
  one(
    'a backup that no key opens',
    'adapters/blobs/age.ts',
    'if (parts === 0 || parts !== recipients.length) {',
    'if (false) {',
    ['adapters/blobs/codec'],
  ),
  one(
    'the health check without a write',
    'functions/health/get.ts',
    'await selfCheck.writable()',
    '',
    ['functions/health'],
  ),
]

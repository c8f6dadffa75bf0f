import { type Mutation, one } from './mutation.ts'

/** Checks that limit the cost of a project. */
export const checks: Mutation[] = [
  one(
    'limits: a project is not measured',
    'functions/core/compose/load/load.ts',
    '    checkLimits(project)\n',
    '',
    ['functions/core/compose/measure'],
  ),
  one(
    'limits: port ranges are not counted before they are written out',
    'functions/core/compose/load/canonical.ts',
    '  checkPortRanges(tree)\n',
    '',
    ['functions/core/compose/measure'],
  ),
  one(
    'limits: a plan of any length',
    'functions/core/compose/plan/draft.ts',
    'if (index >= stepsMax)',
    'if (false)',
    ['functions/core/compose/plan/draft.test.ts'],
  ),
  one(
    'limits: an account has any number of requests carried out at once',
    'functions/kit/pipeline.ts',
    'if (!caller || facts.waits)',
    'if (true)',
    ['functions/kit/pipeline.test.ts'],
  ),
  one(
    'limits: any number of requests of an account wait',
    'functions/core/access/caller-turns.ts',
    'if (calls.open >= turnsOfOneCaller + waitingMax)',
    'if (false)',
    ['functions/core/access/caller-turns.test.ts'],
  ),
  one(
    'limits: callers take no turns in the worker',
    'functions/core/access/scope.ts',
    'composer.onBehalfOf(caller.account.id)',
    'composer',
    ['functions/core/access/scope.test.ts'],
  ),
  one(
    'limits: a caller that used much time goes first',
    'adapters/node/composer-queue.ts',
    'return byDebt < 0 || (byDebt === 0 && one.size < two.size)',
    'return one.size < two.size',
    ['adapters/node/composer-queue.test.ts'],
  ),
]

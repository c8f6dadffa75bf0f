import { type Mutation, mutation } from './mutation.ts'

/** Checks that limit the cost of a project. */
export const checks: Mutation[] = [
  mutation(
    'limits: the size of a project',
    'functions/compose/load/load.ts',
    '    checkLimits(project)\n',
    '',
    ['functions/compose/measure'],
  ),
  mutation(
    'limits: the size of port ranges before they are expanded',
    'functions/compose/load/canonical.ts',
    '  checkPortRanges(tree)\n',
    '',
    ['functions/compose/measure'],
  ),
  mutation(
    'limits: the length of a plan',
    'functions/compose/plan/plan-steps.ts',
    'if (index >= stepsMax)',
    'if (false)',
    ['functions/compose/plan/plan-steps.test.ts'],
  ),
  mutation(
    'limits: concurrent requests of an account',
    'functions/kit/pipeline.ts',
    'if (!caller || !isLimited)',
    'if (true)',
    ['functions/kit/pipeline.test.ts'],
  ),
  mutation(
    'limits: queued requests of an account',
    'functions/core/access/caller-queues.ts',
    'if (calls.open >= requestsPerCaller + waitingMax)',
    'if (false)',
    ['functions/core/access/caller-queues.test.ts'],
  ),
  mutation(
    'limits: whole logs that an account reads',
    'functions/core/access/caller-queues.ts',
    'if (isTooMuch(own, amount, perCaller))',
    'if (false)',
    ['functions/core/access/caller-queues.test.ts'],
  ),
  mutation(
    'limits: fairness between callers in the worker',
    'functions/core/access/scope.ts',
    'composer.onBehalfOf(caller.account.id)',
    'composer',
    ['functions/core/access/scope.test.ts'],
  ),
  mutation(
    'limits: priority of callers that used less time',
    'adapters/node/compose-worker/queue.ts',
    'return byDebt < 0 || (byDebt === 0 && one.size < other.size)',
    'return one.size < other.size',
    ['adapters/node/compose-worker/queue.test.ts'],
  ),
]

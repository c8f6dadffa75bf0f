import { type Mutation, mutation } from './mutation.ts'

const services = 'functions/stacks/services'
const policy = [`${services}/service-policy.test.ts`]
const fetch = 'functions/core/deploy/plan-service-fetch.ts'
const images = 'functions/core/deploy/down-images.ts'
const down = ['functions/stacks/down.test.ts']

/** Checks of operations on services, and of what a stack takes with it when it is taken down. */
export const checks: Mutation[] = [
  ...['scale', 'pull', 'build'].map((verb) =>
    mutation(
      `what the containers of a service access: ${verb}`,
      `${services}/${verb}.ts`,
      'reach: reachOf(caller)',
      "reach: 'host' as const",
      policy,
      'of a stack that accesses the host',
    ),
  ),
  mutation(
    'a build takes the name of another stack: build of a service',
    fetch,
    'await checkImageAccess(whole, facts, imageUser(request), ports)',
    '',
    [`${services}/fetch.test.ts`],
    '409: a build under a name',
  ),
  mutation(
    'a build overwrites files that were edited on the host',
    fetch,
    'drifted: await findDrifted()',
    'drifted: []',
    policy,
    '409: a build would overwrite',
  ),
  mutation(
    'down removes an image that another stack built',
    images,
    'const isOthers = owner && owner.stack !== stack.id',
    'const isOthers = false',
    policy,
    'down keeps images',
  ),
  mutation(
    'down removes an image that another stack uses',
    images,
    'others.has(imageName(reference).name)',
    'false',
    down,
    'except those that other stacks use',
  ),
  mutation(
    'down removes an image whose builder is not recorded',
    images,
    'const isUnrecorded = built.has(reference) && !owner',
    'const isUnrecorded = false',
    policy,
    'down keeps images',
  ),
  mutation(
    'down removes what is recorded for another stack',
    'functions/core/deploy/plan-containers.ts',
    'await omitForeign(all, stack, ports)',
    'all',
    down,
    'except those recorded for another stack',
  ),
  mutation(
    'scale of a service that allows one container',
    'functions/core/deploy/load-selected.ts',
    'if (scale > 1 && service.container_name !== undefined) {',
    'if (false) {',
    [`${services}/scale.test.ts`],
    '422: more containers',
  ),
]

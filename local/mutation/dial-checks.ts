import { type Mutation, mutation } from './mutation.ts'

const policy = ['functions/compose/policy']
const dialReach = 'functions/compose/policy/dial-reach.ts'
const publicName = 'functions/compose/reference/public-name.ts'

/** Checks of the addresses that the Engine may be made to connect to. */
export const checks: Mutation[] = [
  mutation(
    'connections that the Engine makes for a stack',
    'functions/compose/policy/policy.ts',
    'yield* dialReach(dials(model, services), registries)',
    '',
    policy,
  ),
  mutation(
    'a registry without a public DNS name',
    'functions/compose/reference/registry-problem.ts',
    'if (isPublicName(address) || allowed.includes(address)) return undefined',
    'return undefined',
    policy,
  ),
  mutation(
    'a log driver with an address',
    dialReach,
    'if (allowedLogDrivers.has(target)) return undefined',
    'return undefined',
    policy,
  ),
  mutation(
    'an unknown kind of connection',
    dialReach,
    'return `the ${kind} ${shown}, which',
    'return undefined && `the ${kind} ${shown}, which',
    policy,
  ),
  mutation('a private domain', publicName, '&& !privateDomains.has(domain)', '', [
    'functions/compose/reference',
  ]),
  mutation('an address that ends in a number', publicName, 'topLevel.test(domain) &&', '', [
    'functions/compose/reference',
  ]),
  mutation(
    'an uppercase registry name',
    'functions/compose/reference/registry-address.ts',
    ' || first !== first.toLowerCase()',
    '',
    ['functions/compose/reference'],
  ),
  mutation(
    'a pull from any registry',
    'functions/core/images/permit-pull.ts',
    'await requireRegistry(image, path, caller, ports)',
    '',
    ['functions/images'],
  ),
  mutation(
    'credentials that open a private registry to all',
    'functions/registries/create.ts',
    'if (!isPublicName(body.address)) {',
    'if (false) {',
    ['functions/registries'],
  ),
  mutation(
    'a ticket used from another origin',
    'functions/kit/ticket.ts',
    'else if (event.headers.origin !== used.origin) {',
    'else if (false) {',
    ['functions/kit/feed'],
  ),
  mutation(
    'a ticket without an origin used from another origin',
    'functions/kit/ticket.ts',
    'refuseOrigin(event.originProblem)',
    'refuseOrigin(undefined)',
    ['functions/kit/feed'],
  ),
  mutation(
    'two spellings of a stack file in a bundle',
    'functions/core/bundle/entry.ts',
    'if (stackFiles.has(folded))',
    'if (false)',
    ['functions/core/bundle'],
  ),
  mutation(
    'JSON in another charset',
    'functions/kit/body.ts',
    'if (!isInUtf8(event)) throw',
    'if (false) throw',
    ['functions/kit/body'],
  ),
  mutation(
    'unknown error messages of an Engine',
    'adapters/docker/responses/errors.ts',
    'const words = plain ?? unknownMessage(status, host, step)',
    'const words = plain ?? refusal.message',
    ['adapters/docker/transport/client'],
  ),
  mutation(
    'a setting that opens private registries to all',
    'functions/settings/update.ts',
    'grants.filter((key) => body[key] !== undefined)',
    'grants.filter(() => false)',
    ['functions/settings'],
  ),
  mutation(
    'connections that a Dockerfile causes',
    'functions/compose/build/refuse-dials.ts',
    'if (problem)',
    'if (false)',
    ['functions/stacks/images.test.ts'],
  ),
  mutation(
    'passing the limits of a build to the builder',
    'functions/core/images/fetch-image.ts',
    "user.reach === 'host' ? {} : { registries: await allowedRegistries(ports) }",
    '{}',
    ['functions/stacks/images.test.ts'],
  ),
  mutation(
    'an address in ADD',
    'functions/compose/build/dockerfile-dials.ts',
    "if (word === 'ADD' && addsAddress(text)) {",
    'if (false) {',
    ['functions/compose/build/dockerfile-dials'],
  ),
  mutation(
    'a registry in a Dockerfile',
    'functions/compose/build/dockerfile-dials.ts',
    'if (found) return',
    'if (false) return',
    ['functions/compose/build/dockerfile-dials'],
  ),
  mutation(
    'a foreign frontend',
    'functions/compose/build/dockerfile-dials.ts',
    'frontends.find((image) => !isDockerFrontend(image))',
    'undefined',
    ['functions/compose/build/dockerfile-dials'],
  ),
  mutation(
    'a part of a Dockerfile that is too long to be judged',
    'functions/compose/build/possible-instructions.ts',
    'if (length <= longest) return undefined',
    'return undefined',
    ['functions/compose/build/dockerfile-dials'],
  ),
  mutation(
    'the registry of a pull, in the adapter',
    'adapters/docker/images/pull.ts',
    'if (options.registries)',
    'if (false)',
    ['adapters/docker/images/pull.test.ts'],
  ),
]

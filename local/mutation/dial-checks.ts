import { type Mutation, one } from './mutation.ts'

const policy = ['functions/core/compose/policy']
const dialReach = 'functions/core/compose/policy/dial-reach.ts'
const publicName = 'functions/core/registries/public-name.ts'

/** Checks of the addresses that the Engine may be made to connect to. */
export const checks: Mutation[] = [
  one(
    'what the Engine dials for a stack',
    'functions/core/compose/policy/policy.ts',
    'yield* dialReach(dials(model, services), registries)',
    '',
    policy,
  ),
  one(
    'a registry without a public DNS name',
    'functions/core/registries/allowed.ts',
    'if (isPublicName(address) || allowed.includes(address)) return undefined',
    'return undefined',
    policy,
  ),
  one(
    'a log driver with an address',
    dialReach,
    'if (logDrivers.has(target)) return undefined',
    'return undefined',
    policy,
  ),
  one(
    'a kind of dial that no rule allows',
    dialReach,
    'return `the ${kind} ${shown}, which',
    'return undefined && `the ${kind} ${shown}, which',
    policy,
  ),
  one('a domain of private networks', publicName, '&& !privateDomains.has(domain)', '', [
    'functions/core/registries',
  ]),
  one('an address that ends in a number', publicName, 'topLevel.test(domain) &&', '', [
    'functions/core/registries',
  ]),
  one(
    'a capital first part of an image',
    'functions/core/registries/registry.ts',
    ' || first !== first.toLowerCase()',
    '',
    ['functions/core/registries'],
  ),
  one(
    'a pull from any registry',
    'functions/images/pull.ts',
    'await requireRegistry(body.image, caller, ports)',
    '',
    ['functions/images'],
  ),
  one(
    'credentials that open a private registry to all',
    'functions/registries/create.ts',
    'if (!isPublicName(body.address)) {',
    'if (false) {',
    ['functions/registries'],
  ),
  one(
    'a ticket at a page of another origin',
    'functions/kit/ticket.ts',
    'else if (event.headers.origin !== used.origin) {',
    'else if (false) {',
    ['functions/kit/feed'],
  ),
  one(
    'a ticket of no page at a page of another origin',
    'functions/kit/ticket.ts',
    'refuseOrigin(event.originProblem)',
    'refuseOrigin(undefined)',
    ['functions/kit/feed'],
  ),
  one(
    'two spellings of a stack file in a bundle',
    'functions/core/bundle/entry.ts',
    'if (stackFiles.has(folded))',
    'if (false)',
    ['functions/core/bundle'],
  ),
  one(
    'JSON in another charset',
    'functions/kit/body.ts',
    'if (!isInUtf8(event)) throw',
    'if (false) throw',
    ['functions/kit/body'],
  ),
  one(
    'words of an Engine that are not known',
    'adapters/docker/errors.ts',
    'const words = plain ?? unknownWords(status, host, step)',
    'const words = plain ?? refusal.message',
    ['adapters/docker/client'],
  ),
  one(
    'a setting that opens private registries to all',
    'functions/settings/update.ts',
    'grants.filter((key) => body[key] !== undefined)',
    'grants.filter(() => false)',
    ['functions/settings'],
  ),
  one(
    'what a Dockerfile makes a builder dial',
    'functions/core/engine/build/refuse-dials.ts',
    'if (problem) throw',
    'if (false) throw',
    ['functions/stacks/images.test.ts'],
  ),
  one(
    'the limits of a build do not reach the builder',
    'functions/core/images/fetch-image.ts',
    "user.reach === 'host' ? {} : { registries: await allowedRegistries(ports) }",
    '{}',
    ['functions/stacks/images.test.ts'],
  ),
  one(
    'an address in ADD',
    'functions/core/engine/build/dockerfile-dials.ts',
    "if (word === 'ADD' && addsAddress(rest)) {",
    'if (false) {',
    ['functions/core/engine/build/dockerfile-dials'],
  ),
  one(
    'a registry in a Dockerfile',
    'functions/core/engine/build/dockerfile-dials.ts',
    'if (found) return',
    'if (false) return',
    ['functions/core/engine/build/dockerfile-dials'],
  ),
  one(
    'a frontend of a stranger',
    'functions/core/engine/build/dockerfile-dials.ts',
    'found.find((image) => !isOwnFrontend(image))',
    'undefined',
    ['functions/core/engine/build/dockerfile-dials'],
  ),
]

import { type Mutation, one } from './mutation.ts'

const access = 'functions/core/images/image-access.ts'
const naming = 'functions/core/images/name-image.ts'
const stacks = ['functions/stacks/images.test.ts']

/** Checks of which image a container runs, and of who may assign and use its name. */
export const checks: Mutation[] = [
  one(
    'a build takes the name of another stack: plan',
    access,
    'if (own.has(reference)) throw takenName(path, reference, user.hostId)',
    '',
    stacks,
    '409: refuses to build',
  ),
  one(
    'a build takes the name of an image that it did not build',
    naming,
    'if (await hasBuilt(present, reference, user.stack, ports)) return',
    'return',
    stacks,
    '409: a build takes the name',
  ),
  one(
    'that a stack ran an image makes it the builder',
    'functions/core/images/built-before.ts',
    'built(one, reference) && ran(one, image)',
    'ran(one, image)',
    stacks,
    '409: that a stack ran',
  ),
  one(
    'an image by its ID',
    access,
    "if (reach === 'host' || (imageName(reference).kind !== 'id' && !byId)) return",
    'return',
    stacks,
    '403: without stacks:privileged no image',
  ),
  one(
    'a build begins with an image by its ID',
    'functions/core/images/fetch-image.ts',
    "ids: user.reach === 'stack',",
    'ids: false,',
    stacks,
    '403: without stacks:privileged no build',
  ),
  one(
    'a build begins with the build of another stack',
    'functions/core/images/fetch-image.ts',
    'if (!all || !mayUse) refused.push(name)',
    '',
    stacks,
    '409, then 200: builds on',
  ),
  one(
    'the build of another stack is used unasked',
    'functions/core/compose/plan/moved-images.ts',
    '(from === null && !foreign.has(reference))',
    'from === null',
    stacks,
    '409, then 200: uses',
  ),
  one(
    'a container is created from an image that moved',
    'functions/core/images/decide-images.ts',
    'if (needed.length === 0) return',
    'return',
    stacks,
    'names an image that moved',
  ),
  one(
    'a pull replaces the build of a stack',
    access,
    'if (await user.mayDeploy?.(owner.stack)) return\n  throw conflict',
    'return\n  throw conflict',
    ['functions/images/pull.test.ts'],
    '409: a name that a stack builds',
  ),
  one(
    'a caller who may not deploy a stack uses its image',
    'functions/core/stacks/reach.ts',
    "permissions.has('stacks:read') && permissions.has('stacks:deploy')",
    'true',
    ['functions/images/pull.test.ts'],
    '409: a name that a stack builds',
  ),
  one(
    'the image of a created container is not compared',
    'adapters/docker/create.ts',
    'if (made.Image === imageId) return',
    'return',
    ['adapters/contract/engine.test.ts'],
    '409: keeps no container',
  ),
  one(
    'the image that a plan built is not the one that runs',
    'functions/core/stacks/execute.ts',
    'return imageId === undefined ? step : { ...step, imageId }',
    'return step',
    stacks,
    'fails when the name of a build moves',
  ),
  one(
    'a build gets the credentials of all registries',
    'adapters/docker/registry-auth.ts',
    '.filter(({ id }) => named.has(id))',
    '',
    ['adapters/docker/registry-auth.test.ts'],
    'the credentials go with',
  ),
]

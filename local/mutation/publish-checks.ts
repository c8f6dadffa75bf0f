import { type Mutation, one } from './mutation.ts'

const endpoint = ['functions/stacks/publish.test']
const adapter = ['adapters/registry']
const session = 'adapters/registry/session.ts'
const push = 'adapters/registry/push.ts'
const destinations = 'adapters/registry/destinations.ts'

/** Checks of what leaves the service when a stack is published. */
export const checks: Mutation[] = [
  one(
    'a finding that was not accepted',
    'functions/core/publish/accept-findings.ts',
    'if (open.length === 0) return',
    'return',
    endpoint,
  ),
  one(
    'values of findings without stacks:secrets',
    'functions/core/publish/accept-findings.ts',
    "permissions.has('stacks:secrets')",
    'permissions',
    endpoint,
  ),
  one(
    'a secret file that an extends names',
    'functions/compose/publish/published-files.ts',
    'if (isSecret(files, full)) {',
    'if (!files) {',
    ['functions/compose/publish'],
  ),
  one(
    'the registry of a publication',
    'functions/core/publish/publish-stack.ts',
    "await requireRegistry(targetText(target), 'body.reference', caller, ports)",
    '',
    endpoint,
  ),
  one(
    'a push to an address that the network policy refuses',
    'functions/core/publish/publish-stack.ts',
    'refuseUndialed(target, ports)',
    '',
    endpoint,
  ),
  one(
    'files that were changed since they were looked at',
    'functions/core/publish/publish-stack.ts',
    'refuseStale(stack.contentRevision, request)',
    '',
    endpoint,
  ),
  one('a tag that has an image', push, 'await refuseOther(session, tag)', '', adapter),
  one(
    'a manifest that the registry changed',
    push,
    'if (stored === undefined || stored === manifest.digest) return manifest.digest',
    'return manifest.digest',
    adapter,
  ),
  one(
    'a token for another origin',
    session,
    'if (isOwn && this.#authorization !== undefined)',
    'if (this.#authorization !== undefined)',
    adapter,
  ),
  one(
    'a token service or an upload inside the network',
    destinations,
    "return url.protocol === 'https:' && isKnown ? url : undefined",
    'return isKnown || !isKnown ? url : undefined',
    adapter,
  ),
]

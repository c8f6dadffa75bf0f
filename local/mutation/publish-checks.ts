import { type Mutation, mutation } from './mutation.ts'

const endpoint = ['functions/stacks/publish.test']
const adapter = ['adapters/registry']
const session = 'adapters/registry/session.ts'
const push = 'adapters/registry/push.ts'
const destinations = 'adapters/registry/allowed-url.ts'

/** Checks of what leaves the service when a stack is published. */
export const checks: Mutation[] = [
  mutation(
    'a finding that was not accepted',
    'functions/core/publish/accept-findings.ts',
    'if (open.length === 0) return',
    'return',
    endpoint,
  ),
  mutation(
    'values of findings without stacks:secrets',
    'functions/core/publish/accept-findings.ts',
    "permissions.has('stacks:secrets')",
    'permissions',
    endpoint,
  ),
  mutation(
    'a secret file that an extends names',
    'functions/compose/publish/published-files.ts',
    'if (isSecret(files, full)) {',
    'if (!files) {',
    ['functions/compose/publish'],
  ),
  mutation(
    'the registry of a publication',
    'functions/core/publish/publish-stack.ts',
    "await requireRegistry(targetText(target), 'body.reference', caller, ports)",
    '',
    endpoint,
  ),
  mutation(
    'a push to an address that the network policy refuses',
    'functions/core/publish/publish-stack.ts',
    'refuseUndialed(target, ports)',
    '',
    endpoint,
  ),
  mutation(
    'files that were changed since they were looked at',
    'functions/core/publish/publish-stack.ts',
    'refuseStale(stack, request.revision)',
    '',
    endpoint,
  ),
  mutation(
    'a path that the environment of a reader decides on',
    'functions/core/publish/publish-stack.ts',
    'refuseVariables(made, caller)\n',
    '',
    endpoint,
  ),
  mutation(
    'a project that another stack published',
    'functions/core/publish/artifact.ts',
    'if (replacesOthers || ownerOf(manifest) === owner) return',
    'return',
    endpoint,
  ),
  mutation(
    'replacing what others published without stacks:privileged',
    'functions/core/publish/publish-stack.ts',
    'if (request.replacesOthers) {',
    'if (false) {',
    endpoint,
  ),
  mutation(
    'a tag that has an image',
    push,
    'await refuseOther(session, tag, artifact)',
    '',
    adapter,
  ),
  mutation(
    'a manifest that the registry changed',
    push,
    'if (stored === undefined || stored === manifest.digest) return manifest.digest',
    'return manifest.digest',
    adapter,
  ),
  mutation(
    'a token for another origin',
    session,
    'if (isOwn && this.#authorization !== undefined)',
    'if (this.#authorization !== undefined)',
    adapter,
  ),
  mutation(
    'a token service or an upload inside the network',
    destinations,
    "return url.protocol === 'https:' && isKnown ? url : undefined",
    'return isKnown || !isKnown ? url : undefined',
    adapter,
  ),
]

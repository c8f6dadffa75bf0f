import { type Mutation, mutation } from './mutation.ts'

const beyond = 'functions/core/deploy/beyond-savers.ts'
const savers = ['functions/stacks/savers.test.ts']
const accepting = ['functions/stacks/accept-references.test.ts']

/** Checks of what files use although an account that saved them may not. */
export const checks: Mutation[] = [
  mutation(
    'savers: a deploy that does not accept',
    'functions/core/deploy/refuse-unaccepted.ts',
    'if (open.length > 0) throw notAccepted(stack.id, open, accepts)',
    '',
    savers,
  ),
  mutation(
    'savers: one-off containers',
    'functions/core/one-offs/prepare.ts',
    'if (open.length > 0) throw notAccepted(stack.id, open, false)',
    '',
    accepting,
  ),
  mutation(
    'savers: accounts that saved before the last one',
    'functions/core/stacks/savers.ts',
    'return isJudged ? [by] : [...earlier, by]',
    'return [by]',
    savers,
  ),
  mutation(
    'savers: overlays that the last deploy did not use',
    'functions/core/stacks/savers.ts',
    'if (Object.keys(texts.overlays).some((name) => name !== environment)) return false',
    '',
    savers,
  ),
  mutation(
    'savers: services that the last deploy did not use',
    'functions/core/stacks/savers.ts',
    'loaded !== undefined && Object.keys(loaded.project.disabled_services).length === 0',
    'loaded !== undefined',
    savers,
  ),
  mutation(
    'savers: a disabled account',
    'functions/core/access/actor.ts',
    'if (!account || account.disabled) return undefined',
    'if (!account) return undefined',
    savers,
  ),
  mutation(
    'savers: a host out of scope',
    beyond,
    'if (!actor || !host || !inScope(actor.scopeTags, host)) {',
    'if (!actor || !host) {',
    savers,
  ),
  mutation(
    'savers: volumes and networks',
    beyond,
    'await checkReferences(user, loaded.references, resolved, ports, report)',
    '',
    savers,
  ),
  mutation(
    'savers: what needs stacks:privileged',
    beyond,
    'for (const use of loaded.privileged ?? []) reportPlace(privilegedUse(use), use.place)',
    '',
    savers,
  ),
  mutation(
    'savers: paths that running containers can write',
    beyond,
    'refuseObserved(whole, containers, asSaver.stack, (use) => reportPlace(use, `${use.name}: `))',
    '',
    ['functions/stacks/links.test.ts'],
  ),
  mutation(
    'savers: images of other stacks',
    beyond,
    'await checkImageAccess(whole, images, imageUser(asSaver), ports, report)',
    '',
    accepting,
  ),
  mutation(
    'savers: names in networks of others',
    beyond,
    'await findSharedNames(steps, nameUser(asSaver, resolved, used, ports), engine, report)',
    '',
    accepting,
  ),
  mutation(
    'savers: links through what containers can write',
    beyond,
    'refuseTreeLinks(asSaver, tree, owned, report)',
    '',
    accepting,
  ),
  mutation(
    'savers: containers to join',
    beyond,
    'await reportRefusal({ name: `joined:${name}` }, report, enter)',
    '',
    ['functions/stacks/joined-containers.test.ts'],
  ),
  mutation(
    'savers: names of the service',
    beyond,
    'await refuseReservedNames(asSaver, whole, used, engine, ports, report)',
    '',
    accepting,
  ),
]

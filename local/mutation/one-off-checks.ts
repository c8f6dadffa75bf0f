import { type Mutation, mutation } from './mutation.ts'

const attach = ['functions/feeds/attach.test.ts']
const run = ['functions/stacks/services/run.test.ts']
const archive = ['functions/containers/archive']

/** Checks of one-off containers, of files in containers, and of cancelled deployments. */
export const checks: Mutation[] = [
  mutation(
    'one-offs: the container of another account',
    'functions/core/one-offs/attach.ts',
    'if (found.accountId === caller.account.id) return found',
    'return found',
    attach,
  ),
  mutation(
    'one-offs: a container with the label of another one',
    'functions/core/one-offs/attach.ts',
    'if (!found || found.hostId !== hostId || found.container !== name) {',
    'if (!found) {',
    attach,
  ),
  mutation(
    'one-offs: a second feed',
    'functions/core/one-offs/attach.ts',
    'oneOff.isAttached || oneOff.isAbandoned',
    'oneOff.isAbandoned',
    attach,
  ),
  mutation(
    'one-offs: a container that is being removed',
    'functions/core/one-offs/sweep.ts',
    'ports.oneOffs.replace({ ...found, isAbandoned: true })',
    'found',
    run,
  ),
  mutation(
    'one-offs: the policy of a deploy',
    'functions/core/one-offs/load-service.ts',
    'reading = { environment, reach, listsPrivileged }',
    "reading = { environment, reach: 'host' as const, listsPrivileged }",
    run,
  ),
  mutation(
    'one-offs: a stack that changed during the pull',
    'functions/core/one-offs/create.ts',
    '    await requireSame(request, ports)\n    await requireRoom',
    '    await requireRoom',
    run,
  ),
  mutation(
    'one-offs: how many a stack has',
    'functions/core/one-offs/create.ts',
    '    await requireRoom(request, prepared.engine)\n',
    '',
    run,
  ),
  mutation(
    'one-offs: commands after the start that the account may not run any more',
    'functions/feeds/attach.ts',
    'reachOf(caller)',
    "'host'",
    attach,
  ),
  mutation(
    'one-offs: a command that has ended',
    'functions/core/one-offs/start.ts',
    'if (startedAt !== null) {',
    'if (false) {',
    run,
  ),
  mutation(
    'files in containers: devices and hard links',
    'functions/core/container-files/check-archive.ts',
    "if (type !== 'file' && type !== 'directory' && type !== 'symlink') {",
    'if (false) {',
    archive,
  ),
  mutation(
    'files in containers: names that leave the directory',
    'functions/core/container-files/check-archive.ts',
    "if (path.startsWith('/') || path.split('/').includes('..'))",
    'if (false)',
    archive,
  ),
  mutation(
    'files in containers: set-user-id bits',
    'functions/core/container-files/check-archive.ts',
    'mode: mode & 0o777, mtime, uid: 0, gid: 0',
    'mode, mtime, uid: 0, gid: 0',
    archive,
  ),
  mutation(
    'files out of containers: names that leave the target',
    'cli/copy/extract.ts',
    "first !== root || segments.includes('..')",
    'first !== root',
    ['cli/copy'],
  ),
  mutation(
    'files out of containers: links that leave the target',
    'cli/copy/extract.ts',
    "if (path === '' || to === '' || to.startsWith('/')) return false",
    'return true',
    ['cli/copy'],
  ),
  mutation(
    'a cancel of a deployment that has ended',
    'functions/core/deploy/cancel.ts',
    "if (status === 'running') return deployment",
    'if (true) return deployment',
    ['functions/stacks/deployments/cancel.test.ts'],
  ),
]

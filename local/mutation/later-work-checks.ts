import { type Mutation, mutation } from './mutation.ts'

const rule = (name: string, file: string, text: string, without: string): Mutation =>
  mutation(`later work: ${name}`, `functions/${file}`, text, without, [
    'functions/backup-jobs/acts-as',
  ])

const judge = 'core/acts-as/judge-later-work.ts'
const execute = 'core/backups/runs/execute-backup.ts'

/** Checks of the account that work acts as which runs later. */
export const checks: Mutation[] = [
  rule('a stack that was created again', judge, 'if (other) return blocked(other)', ''),
  rule(
    'an account that is gone',
    judge,
    'if (!actor) {',
    "if (!actor) {\n    if (actsAs) return { kind: 'unknown-author' }",
  ),
  rule(
    'its permissions',
    judge,
    'if (!permissions.has(permission)) return lacks',
    'if (false) return lacks',
  ),
  rule('every host', judge, 'everyHost && scopeTags.length > 0', 'false'),
  rule('its scope', judge, '(await outOfScope(hostId, actor, ports))', 'undefined'),
  rule('its other rights', judge, 'await check?.(actor, scopePorts(ports, actor))', ''),
  rule(
    'the stacks of hooks',
    'core/backups/jobs/job-account.ts',
    'if (named) yield named.stack',
    '',
  ),
  rule(
    'the stacks that own volumes',
    'core/backups/jobs/job-account.ts',
    'if (owner !== null) yield owner',
    'if (false) yield owner',
  ),
  rule(
    'a due run',
    'core/backups/runs/start-due-backup.ts',
    'if ((await reviewJob(job, ports)) === null) return job',
    'return job',
  ),
  rule(
    'a run by hand',
    'core/backups/runs/start-backup.ts',
    'await requireStanding(job, ports)',
    '',
  ),
  rule(
    'a run that began',
    execute,
    '    // A long run ends with the rights of its account.\n    await requireStanding(job, ports)\n',
    '',
  ),
  rule(
    'what a hook may enter now',
    'core/backups/jobs/hook-rights.ts',
    "if (now.reach === 'host') return saved",
    'return saved',
  ),
  rule(
    'the hooks of a job that is run by hand',
    'core/backups/jobs/require-runnable.ts',
    'await requireSavedHooks(job, caller, ports)',
    '',
  ),
  rule(
    'the account that takes a job over',
    'backup-jobs/update.ts',
    'job.actsAs = await bindJob(job, caller.account, ports)',
    '',
  ),
  rule(
    'the author of an earlier job',
    'core/backups/jobs/bind-earlier-jobs.ts',
    'accountId: author?.userId ?? null',
    'accountId: null',
  ),
]

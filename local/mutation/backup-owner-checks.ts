import { type Mutation, mutation } from './mutation.ts'

const rule = (
  name: string,
  file: string,
  text: string,
  without: string,
  tests = ['functions/backup-jobs/volume-owners'],
): Mutation => mutation(`backups: ${name}`, `functions/core/${file}`, text, without, tests)

/** Checks of whose data jobs and runs read, and of who may use them. */
export const checks: Mutation[] = [
  rule(
    'a volume of the installation',
    'owners/judge-volume.ts',
    "if (owner.kind === 'installation') {",
    'if (false) {',
  ),
  rule(
    'a volume without a right to it',
    'owners/judge-volume.ts',
    "if (isShared) return 'shared'",
    "return 'shared'",
  ),
  rule(
    'a volume of no stack, with rights to stacks',
    'owners/judge-volume.ts',
    "(owner.kind === 'stack' && mayUseOwner)",
    'mayUseOwner',
    ['functions/core/owners/judge-volume'],
  ),
  rule(
    'the volumes of the installation',
    'owners/volume-owner.ts',
    'installation.volumes.has(name)',
    'false',
  ),
  rule(
    'a volume that others created in place of that of a stack',
    'owners/volume-owner.ts',
    "if (labels && labels[label.project] !== stack) return { kind: 'foreign' }",
    '',
  ),
  rule(
    'labels with the name of a stack that never ran',
    'owners/volume-owner.ts',
    'return found !== undefined && wasEverDeployed(found)',
    'return true',
  ),
  rule(
    'the volumes of a job that is saved',
    'backups/approve-volumes.ts',
    'if (refusal) throw refusal\n  }\n  const stacks',
    '}\n  const stacks',
  ),
  rule(
    'the volumes that a job had before a change',
    'backups/approve-volumes.ts',
    'if (refusal) throw refusal\n  }\n}',
    '}\n}',
    ['functions/backup-jobs/backup-jobs'],
  ),
  rule(
    'a volume that is a source of a run',
    'backups/allowed-sources.ts',
    'if (refusal) throw refusal',
    '',
  ),
  rule(
    'a volume that a stack of a run uses',
    'backups/allowed-sources.ts',
    'volumes: stack.volumes.filter(({ name }) => !reasons.has(name)),',
    '',
  ),
  rule(
    'a volume that changed hands since the job was saved',
    'backups/job-volumes.ts',
    'one.name === name && one.owner === owner',
    'one.name === name',
  ),
  rule(
    'what the job of an earlier version gets later',
    'backups/allowed-sources.ts',
    'await changeJob(job.id, keep, ports)',
    '',
  ),
  mutation(
    'backups: the volumes of a job that is sent elsewhere',
    'functions/backup-jobs/update.ts',
    'isElsewhere ? undefined : before',
    'before',
    ['functions/backup-jobs/volume-owners'],
  ),
  rule(
    'a stack without the right to read it',
    'backups/check-job.ts',
    "requirePermissions(caller, ['stacks:read'], subject('sources: stack'))",
    '',
    ['functions/backup-jobs/backup-jobs'],
  ),
  rule(
    'a run without the right to read its sources',
    'backups/jobs.ts',
    'requireRun(run, caller)',
    '',
    ['functions/backup-runs/rights'],
  ),
  mutation(
    'backups: runs in a list',
    'functions/backup-runs/list.ts',
    'where: (run) => maySeeRun(run, caller),',
    '',
    ['functions/backup-runs/rights'],
  ),
  rule(
    'a run of the service’s state, for an admin of some hosts',
    'backups/run-rights.ts',
    "kind !== 'system' || scopeTags.length === 0",
    'true',
    ['functions/backup-runs/rights'],
  ),
  rule(
    'a run of an earlier version that contains nothing',
    'backups/run-rights.ts',
    "found.length > 0 ? found : ['system']",
    'found',
    ['functions/backup-runs/rights'],
  ),
  rule(
    'the volumes of a run that are restored',
    'backups/restore/plan-restore.ts',
    'await checkVolumeSources(plan, run, caller, ports)',
    '',
    ['functions/backup-runs/rights'],
  ),
  rule(
    'a restored volume that the record of its run does not name',
    'backups/restore/volume-owners.ts',
    '?? { name, owner: null }',
    '?? { name, owner: stack }',
    ['functions/backup-runs/rights'],
  ),
]

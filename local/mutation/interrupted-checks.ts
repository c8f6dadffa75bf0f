import { type Mutation, mutation } from './mutation.ts'

const restores = 'functions/core/backups/restore'

/** Checks that keep work whole when its process is killed, or another one interferes with it. */
export const checks: Mutation[] = [
  mutation(
    'interrupted: a prune of images during a build',
    'functions/core/images/prune-images.ts',
    'if (!(await isBuilding(hostId, ports))) return\n',
    'return\n',
    ['functions/images'],
  ),
  mutation(
    'interrupted: a build during a prune of images',
    'functions/core/images/fetch-image.ts',
    '  await waitForPrune(user.hostId, signal, ports)\n',
    '',
    ['functions/images'],
  ),
  mutation(
    'interrupted: the records of stacks after a failed restore',
    `${restores}/finish-restore.ts`,
    '    await resetStacks(run, ports)\n',
    '',
    ['functions/backup-runs'],
  ),
  mutation(
    'interrupted: the records of stacks after a killed restore',
    `${restores}/recover-restores.ts`,
    '    await resetStacks(run, ports)\n',
    '',
    ['functions/backup-runs'],
  ),
  mutation(
    'interrupted: the record of a stack that the restore did not write',
    `${restores}/reset-stacks.ts`,
    'filesFrom === run.id &&',
    '',
    ['functions/backup-runs'],
  ),
  mutation(
    'interrupted: the record of a stack that was edited after the restore',
    `${restores}/reset-stacks.ts`,
    'before ? contentRevision === before.contentRevision + 1 :',
    'before ? true :',
    ['functions/backup-runs'],
  ),
  mutation(
    'interrupted: an adoption that already created its stack',
    'functions/core/adopt/complete.ts',
    'adoption.done || (await stacks.find(adoption.stack))?.filesFrom === adoption.id',
    'adoption.done',
    ['functions/stacks/adopt'],
  ),
  mutation(
    'interrupted: a repeated audit trim',
    'functions/core/audit/trim.ts',
    'if (from && sequence <= from.seq)',
    'if (false)',
    ['functions/core/audit'],
  ),
  mutation(
    'interrupted: a deployment that a later one replaced',
    'functions/core/deploy/resume-deployment.ts',
    '    await refuseReplaced(deployment, ports)\n',
    '',
    ['functions/stacks/recover-deployments'],
  ),
  mutation(
    'interrupted: a deployment that is refused for now',
    'functions/core/deploy/resume-deployment.ts',
    'if (isTransient(error)) throw error',
    '',
    ['functions/stacks/recover-deployments'],
  ),
  mutation(
    'interrupted: the end of a backup run in its job',
    'functions/core/backups/runs/recover-backups.ts',
    '  await recordMissedEnds(ports)\n',
    '',
    ['functions/backup-jobs'],
  ),
]

type StepStatus = 'pending' | 'running' | 'done' | 'failed' | 'skipped'

/** Returns one status for several steps: `failed` if one failed, `running` while some are done. */
export function combinedStatus(steps: readonly { status: StepStatus }[]): StepStatus {
  const has = (wanted: StepStatus) => steps.some(({ status }) => status === wanted)
  if (has('failed')) return 'failed'
  if (has('running') || (has('done') && has('pending'))) return 'running'
  if (has('pending')) return 'pending'
  return has('skipped') ? 'skipped' : 'done'
}

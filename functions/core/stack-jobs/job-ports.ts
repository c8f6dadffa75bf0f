import type { JudgePorts } from '../acts-as/judge-later-work.ts'
import type { PauseLookPorts } from '../leases/pause.ts'
import type { CreateOneOffPorts } from '../one-offs/create.ts'
import type { PostStartPorts } from '../one-offs/post-start.ts'
import type { EntryPorts } from '../owners/enter-container.ts'
import type { Needs } from '../ports/ports.ts'

/** The ports that runs of jobs need. */
export type JobPorts = CreateOneOffPorts &
  EntryPorts &
  JudgePorts &
  PauseLookPorts &
  PostStartPorts &
  Needs<'audit' | 'jobLogs' | 'stackJobs'>

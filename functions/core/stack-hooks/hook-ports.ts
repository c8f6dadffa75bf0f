import type { JudgePorts } from '../acts-as/judge-later-work.ts'
import type { Needs } from '../ports/ports.ts'
import type { SyncPorts } from '../sources/sync-ports.ts'

/** The ports that deploying for hooks needs. */
export type HookPorts = SyncPorts & JudgePorts & Needs<'reminders' | 'stackHooks'>

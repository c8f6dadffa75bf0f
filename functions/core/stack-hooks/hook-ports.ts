import type { JudgePorts } from '../acts-as/judge-later-work.ts'
import type { DeployPorts } from '../deploy/request.ts'
import type { Needs } from '../ports/ports.ts'

/** The ports that deploying for hooks needs. */
export type HookPorts = DeployPorts & JudgePorts & Needs<'reminders' | 'stackHooks'>

import { load } from '../load/load.ts'
import { planText } from '../plan/plan-text.ts'
import { plan } from '../plan/up/plan-project.ts'

const files = { 'compose.yaml': 'services:\n  web:\n    image: nginx\n' }
const input = { name: 'shop', directory: '/srv/shop', composeFiles: ['compose.yaml'], files }
const rest = { environment: {}, profiles: [], reach: 'stack' as const }
const { project } = load({ ...input, ...rest })

const host = { project: 'shop', containers: [], networks: [], volumes: [] }
const found = { networks: {}, volumes: {}, images: {} }
const choices = { pull: null, forceRecreate: false, removeOrphans: false, files: [] }
const options = { ...choices, apiVersion: '1.41', keptVolumes: {}, now: 0 }

export const example = planText(plan(project, host, found, options))

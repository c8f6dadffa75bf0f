import type { components } from '../../../data/api.types.ts'

export type StackDetails = components['schemas']['StackDetails']

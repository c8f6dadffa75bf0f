import type { StackRecord } from '../records/stack.ts'
import type { Collection } from './collection.ts'

export type Stacks = Collection<StackRecord>

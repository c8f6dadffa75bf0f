import type { Operation } from '../api/types.ts'

const works: Readonly<Record<Operation['kind'], string>> = {
  image_pull: 'the pull',
  image_prune: 'the prune',
  stack_publish: 'the publication',
  backup_verify: 'the verification',
  service_pause: 'the pause',
  service_upgrade: 'the upgrade',
}

/** Returns what an operation does: `the pull`. A newer service may have other kinds. */
export const operationWork = ({ kind }: Pick<Operation, 'kind'>): string =>
  Object.hasOwn(works, kind) ? works[kind] : 'the operation'

import { notFound } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import { changeStack } from '../stacks/stack-record.ts'

/**
 * Allows the updates of a stack to apply a held-back image again.
 *
 * @throws 404 if there is no such stack, or it does not hold that digest back
 */
export async function allowImage(
  { id, createdAt }: Pick<StackRecord, 'id' | 'createdAt'>,
  digest: string,
  ports: Needs<'stacks'>,
): Promise<void> {
  const none = () => notFound(`stack ${id}: no image ${digest} is held back`)
  const changed = await changeStack(
    id,
    (stack) => {
      const { heldBack = [] } = stack
      const kept = heldBack.filter((one) => one.digest !== digest)
      if (stack.createdAt !== createdAt || kept.length === heldBack.length) throw none()
      return { heldBack: kept }
    },
    ports,
  )
  if (!changed) throw none()
}

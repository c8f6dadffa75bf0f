import type { Reach } from '../../compose/project.ts'

/** The rights of an account that enters a container. */
export interface Enterer {
  /** What the permissions of the caller reach: the host only with `stacks:privileged`. */
  reach: Reach
  /** Returns whether the caller may read and deploy a stack. If absent, the caller may not. */
  mayDeploy?: ((stack: string) => Promise<boolean>) | undefined
}

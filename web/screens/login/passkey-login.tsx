import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Credentials } from '../../data/browser-endpoints.ts'
import {
  logInWithPasskey,
  obstacleOf,
  type PasskeySignIn,
  readPasskeySignIn,
} from '../../data/passkey-sign-in.ts'
import { useAct } from '../../data/use-act.ts'
import { Button } from '../../parts/button.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'

interface PasskeyLoginProps {
  remembers: boolean
  /** The user name and the password, if a passkey takes the place of a code. */
  credentials?: Credentials | undefined
}

/**
 * Signs in with a passkey. On a page that cannot, it says where passkeys work, if they do anywhere:
 * a service without them has no users who look for them.
 */
export function PasskeyLogin({ remembers, credentials }: PasskeyLoginProps) {
  const offer = useSignal<PasskeySignIn | undefined>(undefined)
  const logIn = useAct(logInWithPasskey, { failed: t.login.failed, tellsProblem: false })
  useEffect(() => {
    // Without it the password still works.
    readPasskeySignIn().then(
      (read) => {
        offer.value = read
      },
      () => {},
    )
  }, [offer])
  if (!offer.value?.origin) return null
  const obstacle = obstacleOf(offer.value)
  if (obstacle !== undefined) return <p class="quiet-text">{obstacle}</p>
  const problem = logIn.problem.value
  return (
    <>
      {problem && <Problem title={t.login.failed} {...problem} />}
      <Button
        busy={logIn.pending.value && t.login.busy}
        onClick={() => void logIn.run(remembers, credentials)}
      >
        {credentials ? t.login.passkeyInstead : t.login.withPasskey}
      </Button>
    </>
  )
}

import './account/account.css'
import { session } from '../data/session.ts'
import { Page } from '../frame/page.tsx'
import { t } from '../text/text.ts'
import { Mfa } from './account/mfa.tsx'
import { Passkeys } from './account/passkeys.tsx'
import { Password } from './account/password.tsx'
import { Sessions } from './account/sessions.tsx'
import { Tokens } from './account/tokens.tsx'

/** The page of the signed-in user: password, second factor, passkeys, sessions and API tokens. */
export default function Account() {
  // A user of an identity provider has them there.
  const hasPassword = session.user.value?.has_password !== false
  return (
    <Page title={t.account.title}>
      <div class="account-page">
        {hasPassword && <Password />}
        {hasPassword && <Mfa />}
        {hasPassword && <Passkeys />}
        <Sessions />
        <Tokens />
      </div>
    </Page>
  )
}

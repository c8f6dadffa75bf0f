import './account/account.css'
import { Page } from '../frame/page.tsx'
import { t } from '../text/text.ts'
import { Mfa } from './account/mfa.tsx'
import { Password } from './account/password.tsx'
import { Sessions } from './account/sessions.tsx'
import { Tokens } from './account/tokens.tsx'

/** The page of the signed-in user: password, second factor, sessions and API tokens. */
export default function Account() {
  return (
    <Page title={t.account.title}>
      <div class="account-page">
        <Password />
        <Mfa />
        <Sessions />
        <Tokens />
      </div>
    </Page>
  )
}

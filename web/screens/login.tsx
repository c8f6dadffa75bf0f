import { Layers } from 'lucide'
import { useEffect } from 'preact/hooks'
import { focusNextTitle } from '../frame/page.tsx'
import { Icon } from '../parts/icon.tsx'
import { t } from '../text/text.ts'
import LoginForm from './login/login-form.tsx'

/** The login, at any address. */
export default function Login() {
  useEffect(() => {
    document.title = `${t.login.title} · ${t.product}`
    focusNextTitle()
  }, [])
  return (
    <main class="gate">
      <header>
        <Icon of={Layers} size={20} />
        <h1>{t.login.title}</h1>
        <p>{t.product}</p>
      </header>
      <LoginForm username="" />
    </main>
  )
}

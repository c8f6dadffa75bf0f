import './account-menu.css'
import { Contrast, Keyboard, Languages, LogOut, Monitor, Moon, Sun } from 'lucide'
import { kept } from '../browser/storage.ts'
import { session } from '../data/session.ts'
import { openShortcutHelp } from '../frame/shortcuts.ts'
import { hasMoreContrast, setContrast, setTheme, type Theme, theme } from '../frame/theme.ts'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { type Language, language, languages, loadTexts, t } from '../text/text.ts'

const themes: readonly [Theme, typeof Sun][] = [
  ['system', Monitor],
  ['light', Sun],
  ['dark', Moon],
]

/** Chooses a language for this browser and shows the UI in it. */
export function chooseLanguage(next: Language): void {
  kept.setItem('language', next)
  void loadTexts(next)
}

/** Returns the entries that change how the UI looks to this reader. */
export function appearance(): MenuItem[] {
  return [
    ...themes
      .filter(([name]) => name !== theme.value)
      .map(([name, icon]) => ({
        label: t.palette.theme(t.theme[name]),
        icon,
        run: () => setTheme(name),
      })),
    {
      label: hasMoreContrast.value ? t.theme.usual : t.theme.contrast,
      icon: Contrast,
      run: () => setContrast(!hasMoreContrast.value),
    },
    ...(Object.keys(languages) as Language[])
      .filter((tag) => tag !== language.value)
      .map((tag) => ({
        label: t.palette.language(languages[tag]),
        icon: Languages,
        run: () => chooseLanguage(tag),
      })),
  ]
}

/** The menu at the foot of the rail. */
export function AccountMenu() {
  const items: MenuItem[] = [
    ...appearance(),
    { label: t.shortcuts.title, icon: Keyboard, run: openShortcutHelp },
    { label: t.frame.signOut, icon: LogOut, run: () => void session.logOut() },
  ]
  const user = session.user.value
  return (
    <div class="account">
      {user && (
        <span class="account-name rail-word">
          {user.username}
          <small>{user.role}</small>
        </span>
      )}
      <Menu label={t.frame.account} items={items} />
    </div>
  )
}

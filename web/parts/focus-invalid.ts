import { useEffect, useRef } from 'preact/hooks'

/**
 * Returns a reference for a form: once its problem is known, the first field that has an error gets
 * the focus, so that it is read out, also if the form was sent by its button.
 */
export function useFocusInvalid(problem: unknown) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [problem])
  return form
}

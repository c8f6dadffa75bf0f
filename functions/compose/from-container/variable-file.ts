/** The `.env` of a compose file that is being written. */
export interface VariableFile {
  /**
   * Returns the variable to interpolate for the value of a service: its own name, or one with the
   * name of the service before it if another value has that name.
   */
  add(service: string, name: string, value: string): string
  /** Returns a variable for a value that is not known. */
  reserve(service: string, name: string): string
  /** Returns the text; null if no value was added. */
  text(): string | null
}

export function variableFile(): VariableFile {
  /** Null for values that are not known. */
  const values = new Map<string, string | null>()
  const free = (service: string, name: string, value: string | null): string => {
    const isTaken = (one: string) =>
      values.has(one) && (value === null || values.get(one) !== value)
    const prefix = service.toUpperCase().replace(/[^A-Z0-9]/g, '_')
    const longer = `${prefix}_${name}`.replace(/^\d/, '_$&')
    let found = isTaken(name) ? longer : name
    for (let number = 2; isTaken(found); number += 1) found = `${longer}_${number}`
    values.set(found, value)
    return found
  }
  return {
    add: free,
    reserve: (service, name) => free(service, name, null),
    text() {
      const lines = [...values].flatMap(([name, value]) =>
        value === null ? [] : [`${name}='${value.replaceAll("'", "\\'")}'\n`],
      )
      return lines.length > 0 ? lines.join('') : null
    },
  }
}

/** Returns whether `.env` can have a variable of this name. */
export const isVariableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)

/** Returns whether a quoted value of `.env` is read back as it is. */
export const fitsVariableFile = (value: string): boolean => !/\r|\\'|\\$/.test(value)

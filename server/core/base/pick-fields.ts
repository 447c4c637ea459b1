/** The named fields of a record, and no others. */
export const pickFields = <T, const K extends keyof T>(record: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T, K>

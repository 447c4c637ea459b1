let open: ReadonlySet<string> = new Set()

/** Told when the session opens: the screens the person may open. */
export const setOpenScreens = (paths: Iterable<string>): void => void (open = new Set(paths))

/** Whether an address of the console leads to a screen the person may open. */
export const isScreenOpen = (address: string): boolean => open.has(address.split(/[?#]/)[0]!)

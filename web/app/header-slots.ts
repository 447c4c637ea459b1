import type { ComponentType } from 'react'

/** What stands in the header between the theme switch and the person: the bell with its unread count, once messages exist. */
export const headerSlots: ComponentType[] = []

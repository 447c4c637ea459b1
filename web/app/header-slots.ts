import type { ComponentType } from 'react'
import { Bell } from './bell.tsx'

/** What stands in the header between the theme switch and the person: the bell with its unread count. */
export const headerSlots: ComponentType[] = [Bell]

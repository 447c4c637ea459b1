import type { ComponentType } from 'react'
import { TodoCards } from '../approvals/todo-cards.tsx'
import { HomeActive } from './home-active.tsx'

/** What stands on the first screen between the greeting and the menu: to-do counts and the like, one component each. */
export const homeParts: ComponentType[] = [TodoCards, HomeActive]

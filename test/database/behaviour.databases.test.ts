import { describe } from 'vitest';
import { onEveryDatabase } from '../support/databases.ts';
import { databaseBehaviour } from './behaviour.ts';

describe('a database', () => onEveryDatabase(databaseBehaviour));

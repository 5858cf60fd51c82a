import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';

/** Builds `tieout completion bash`: prints the script that a shell loads. */
export const completionCommand = (): Command => {
  const program = addCompletion(new Command('tieout'));
  return program.commands[0] as Command;
};

/** Adds to a program with all its commands the command that prints the script and the one that the script calls. */
export const addCompletion = (program: Command): Command => {
  tab(program, { completionCommandName: 'completion' });
  return program;
};

export const USAGE = `Usage: npm run ops -- <command>

  payments show <id>                      one payment: states, history, settlement attempts
  payments stuck [--limit 50]             what waits for a human, or moves no more
  payments replay <id> --reason <text>    ask the bank again and, if it never saw it, send again
          [--operator <name>]             who decides; in a local run your login if left out
  customers add --name <text> [--live]    take on a customer; --live grants live access
  keys add --customer <id> --environment test|live --name <text> [--allow <cidr>]...
          [--operator <name>]
                                          create an API key; its token is shown once

Where the database and Temporal are: DATABASE_URL and TEMPORAL_ADDRESS, else the local run whose
state.json is in DATA_DIR (.dev).`;

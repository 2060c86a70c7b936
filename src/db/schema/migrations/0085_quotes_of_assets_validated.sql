-- Keeps no writer waiting.
ALTER TABLE quotes VALIDATE CONSTRAINT what_is_paid_is_what_is_converted_and_fees;
ALTER TABLE quotes VALIDATE CONSTRAINT assets_arrive_on_networks;
ALTER TABLE quotes VALIDATE CONSTRAINT known_network;
ALTER TABLE quotes VALIDATE CONSTRAINT one_kind_of_fees;
